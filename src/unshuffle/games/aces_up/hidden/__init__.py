"""Players of Aces Up that see only what a person sees: planner, estimates and policies."""
