"""Dice that are not fair, in money: what each box returns under given chances, or after recorded rolls."""
