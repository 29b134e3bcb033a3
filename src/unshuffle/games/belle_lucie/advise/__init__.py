"""The plan for one deal of La Belle Lucie, and the tables it goes by."""
