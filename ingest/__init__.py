"""The door: readings come in, events go into the log, and nothing that was acknowledged is lost."""
