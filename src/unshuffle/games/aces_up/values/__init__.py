"""The values of Aces Up: how they are built and shown."""
