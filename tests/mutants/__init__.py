"""Mutated honest days: readings changed mechanically, and what the house says of each day.

The seeded faults were invented by those who wrote the rules, so both share blind spots. A mutant
knows no rule: it takes an honest day, changes what the devices say, and asks whether money moved
without a word, or whether a word fell where nothing was wrong (docs/mutants.md).
"""
