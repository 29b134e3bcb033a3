"""Advice for Gaps: the board as it is typed, the plan for a phase, and what another pass may know."""
