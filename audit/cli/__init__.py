"""The command line itself: start, options, settings, screen and errors."""
