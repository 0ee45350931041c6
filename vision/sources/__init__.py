"""Where frames come from: films, folders, streams and single pictures."""
