"""Round sheets: one round as a person writes it down, and what it owes."""
