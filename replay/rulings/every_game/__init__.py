"""What holds in every game, before and after its own rulings."""
