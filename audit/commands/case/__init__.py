"""`roundproof case`: a dispute from its raising to its closing (clauses 8.1 to 8.6)."""
