"""A camera at work: frames are read, and readings sent."""
