"""Who plays La Belle Lucie by what a person sees: plans, estimates and policies."""
