"""The records that every package uses: events, readings, cards, money, ranks."""
