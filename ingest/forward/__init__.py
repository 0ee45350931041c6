"""From the embedded log to Kafka: every lane in its order, and forks noticed."""
