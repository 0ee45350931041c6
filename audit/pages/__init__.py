"""What rounds, findings, editions and checks look like in words."""
