"""From the embedded log to Kafka: every lane in order; another writer is noticed and stops it."""
