"""The page: a local server over the same functions as the command line, and the files that a browser shows."""
