"""Players of La Belle Lucie that see only what a person sees: planner, values and policies."""
