"""The command line: one module per command. A command parses arguments, calls the library and prints."""
