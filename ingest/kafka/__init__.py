"""Kafka: its client, topics, framing, readers and writers."""
