"""The web console: the same functions as the command line, for people at a desk."""
