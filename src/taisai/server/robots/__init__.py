"""Simulated people for a play-money house: players with habits, a dealer, and an evening before the start."""

from taisai.server.robots.habits import NAMES
from taisai.server.robots.players import Robots

__all__ = ["NAMES", "Robots"]
