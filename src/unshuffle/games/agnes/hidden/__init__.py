"""Who plays Agnes Sorel by what a person sees: plans, estimates and policies."""
