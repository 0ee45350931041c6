"""A real Kafka for development and tests: one open node, or three secured ones."""
