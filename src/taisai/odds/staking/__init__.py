"""Staking rules of finite state, and their tables."""

from taisai.odds.staking.rules import STAKING_RULES as STAKING_RULES
from taisai.odds.staking.rules import StakingRule as StakingRule
from taisai.odds.staking.rules import staking_rule as staking_rule
