"""Are these dice fair? The tests on recorded rolls, one verdict, and the evidence over time."""

from taisai.odds.fairness.report import FairnessReport as FairnessReport
from taisai.odds.fairness.report import fairness as fairness
