"""Calls in games where a result has a side and a score."""

from replay.bulk.results import Verdict


def score_called(said: str, found: Verdict) -> bool:
    """Whether a call says the result, as far as it goes (`dealt_round.calls`)."""
    return f"{found.result} ".startswith(f"{said} ")
