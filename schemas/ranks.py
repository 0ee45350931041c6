"""The authority ladder that the rulebooks share, low to high, and the offices beside it."""

LADDER = (
    "dealer",
    "dealer_inspector",
    "pit_supervisor",
    "pit_manager",
    "shift_manager",
    "assistant_director",
    "director",
)

# Offices outside the pit that take a part in a dispute (clauses 8.2 to 8.6).
OFFICES = (
    "surveillance_operator",
    "surveillance_director",
    "cage_cashier",
    "guest_relations",
    "compliance_officer",
    "internal_auditor",
    "senior_management",
)


def at_least(rank: str, minimum: str) -> bool:
    """Whether a rank is as high as the minimum that a clause asks for."""
    return rank in LADDER and LADDER.index(rank) >= LADDER.index(minimum)
