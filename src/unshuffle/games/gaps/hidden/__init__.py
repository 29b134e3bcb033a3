"""Players of Gaps with hidden information: plans, values and policies."""
