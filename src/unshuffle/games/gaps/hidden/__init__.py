"""Who plays Gaps by what a person sees: plans, estimates and policies."""
