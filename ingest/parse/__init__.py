"""From bytes to readings, or to a refusal with its reason."""
