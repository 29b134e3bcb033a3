"""Advice for Spider, with hidden information: typed tables, plans and their chances."""
