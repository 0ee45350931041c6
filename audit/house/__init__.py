"""The house as a whole: its health, its open log, and rounds found by what people remember."""
