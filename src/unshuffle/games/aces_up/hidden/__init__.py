"""Who plays Aces Up by what a person sees: plans, estimates and policies."""
