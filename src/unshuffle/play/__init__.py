"""Playing in the terminal and on the page: tables, moves and undo, hints, solving, reviews, saves and a coach."""
