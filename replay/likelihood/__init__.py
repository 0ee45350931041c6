"""How likely each explanation of a disputed reading is. It informs people and settles nothing."""
