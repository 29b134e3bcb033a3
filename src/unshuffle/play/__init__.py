"""A person plays here: the game on the table, moves and their undoing, hints, solving, saves, and a coach."""
