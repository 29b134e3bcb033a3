"""Advice for Agnes Sorel, from the face-up cards only."""
