"""Advice for Gaps: typed boards, the plan for a phase, and further passes through the same game."""
