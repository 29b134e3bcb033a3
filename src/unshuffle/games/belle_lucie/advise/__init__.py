"""Advice for one deal of La Belle Lucie, by plans and value tables."""
