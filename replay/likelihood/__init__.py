"""How often each kind of witness errs, and how likely each card is given what they read."""
