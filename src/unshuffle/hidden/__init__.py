"""Players that see what a person sees: policies and their games, playouts, chances."""
