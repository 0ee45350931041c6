"""Faults that several games share."""
