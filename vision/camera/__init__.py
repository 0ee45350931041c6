"""A camera at work: it reads frames, and sends readings to the gateway."""
