"""Advice for Aces Up, without knowing the stock."""
