"""Arithmetic that several games share: hands, wheels, dice. It judges nothing."""
