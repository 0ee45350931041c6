"""What the screens ask of the snapshot: one module a question, plain values as answers."""
