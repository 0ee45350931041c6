"""How tables of one kind are played: shoe, deck, wheel, shaker, boxes."""
