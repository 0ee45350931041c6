"""A replay of the log: plan, workers, source of the events, digest."""
