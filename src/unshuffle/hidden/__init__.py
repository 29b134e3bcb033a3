"""Players that see only what a person sees: policies, playouts and win probabilities."""
