"""Many players, many rounds: what is played, the engines that play it, and its pictures."""

from taisai.odds.simulation.run import simulate as simulate
