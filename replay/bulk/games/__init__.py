"""What is usual in each game, and the result of its usual rounds; one module a game or family."""
