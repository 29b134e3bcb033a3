"""The command line: one module per command. Here are no rules and no search; commands read, call, print."""
