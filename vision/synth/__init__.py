"""Pictures made by our own code, with their truth."""
