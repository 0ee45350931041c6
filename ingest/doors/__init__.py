"""The doors: files, HTTP, Kafka topics and dead letters tried again."""
