"""The web page: a local server with the functions of the command line, and the static files of the page."""
