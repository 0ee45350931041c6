"""`roundproof vision`: the commands for cameras."""
