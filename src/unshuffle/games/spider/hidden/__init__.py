"""Players of Spider with hidden information: plans, values and policies."""
