"""The doors through which readings arrive: files, HTTP, Kafka topics and redriven letters."""
