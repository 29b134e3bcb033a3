"""The values of Aces Up: built and shown."""
