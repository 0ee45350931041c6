"""The authority ladder that the rulebooks share, low to high."""

LADDER = (
    "dealer",
    "dealer_inspector",
    "pit_supervisor",
    "pit_manager",
    "shift_manager",
    "assistant_director",
    "director",
)


def at_least(rank: str, minimum: str) -> bool:
    """Whether a rank is as high as the minimum that a clause asks for."""
    return rank in LADDER and LADDER.index(rank) >= LADDER.index(minimum)
