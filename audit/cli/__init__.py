"""The command line itself: start, settings, screen and errors."""
