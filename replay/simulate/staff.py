"""The staff of a table: dealers and inspectors who take turns, and the pit above them."""

from schemas import events as e

# Rank, people who share the duty, minutes of one turn.
DUTIES = (
    ("dealer", 4, 30),
    ("dealer_inspector", 3, 60),
    ("pit_supervisor", 2, 240),
    ("pit_manager", 2, 360),
)
SHORT = {"dealer": "D", "dealer_inspector": "I", "pit_supervisor": "S", "pit_manager": "M"}


class Staff:
    """Who is on duty at one table."""

    def __init__(self, table_id: str) -> None:
        self.table_id = table_id
        self.turn: dict[str, int] = {}

    def person(self, rank: str) -> str:
        """The pseudonym of who holds a duty now; somebody from outside where nobody does."""
        shares = {name: people for name, people, _ in DUTIES}
        if rank not in self.turn:
            return f"house-{rank}"
        return f"{self.table_id}-{SHORT[rank]}{self.turn[rank] % shares[rank] + 1}"

    def change(self, minutes: int) -> list[e.Payload]:
        """Who goes off and who comes on when the table has been open so long."""
        said: list[e.Payload] = []
        for rank, _, turn in DUTIES:
            due = minutes // turn
            if self.turn.get(rank) == due:
                continue
            if rank in self.turn:
                said.append(e.StaffWentOff(self.person(rank), rank))
            self.turn[rank] = due
            said.append(e.StaffCameOn(self.person(rank), rank))
        return said
