"""Kafka's settings as a file holds them."""


def properties(text: str) -> dict[str, str]:
    """Name and value of each line that is no comment."""
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return {name: value for name, _, value in (line.partition("=") for line in lines)}
