"""The answer: checks, findings, and the command line that people use."""
