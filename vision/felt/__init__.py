"""The felt: where it lies in the picture, and which zone of a layout is where."""
