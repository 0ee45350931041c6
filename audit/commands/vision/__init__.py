"""`roundproof vision`: one module a command."""
