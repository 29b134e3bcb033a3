"""Who plays Spider by what a person sees: plans, estimates and policies."""
