"""Faults made for real: nodes and gateways killed, networks cut, and what came of the events.

`make faults` runs them with larger counts and shows the times.
"""
