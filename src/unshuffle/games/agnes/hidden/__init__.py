"""Players of Agnes Sorel that see only what a person sees: planner, estimates and policies."""
