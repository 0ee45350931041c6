"""The players of a table: who sits there, what they like to bet, and how much."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from schemas import events as e

SEATS, AT_LEAST = 6, 2
LEAVES, SITS_DOWN, BETS = 0.02, 0.12, 0.9  # chances a round; who sits longest always bets
CHIP = 10_000  # stakes are whole numbers of the smallest chip

Favourites = Callable[[Random], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Player:
    """One player with habits: favourite bets, a size of stake, and how many bets a round."""

    player_id: str
    seat: int
    favourites: tuple[str, ...]
    units: int  # how many minimum stakes make this player's usual one
    bets: int


class TablePlayers:
    """Everybody at one table, coming and going."""

    def __init__(self, table_id: str, favourites: Favourites) -> None:
        self.table_id, self.favourites = table_id, favourites
        self.seated: list[Player] = []
        self.joined: list[Player] = []  # who sat down in the last turn
        self.left: list[Player] = []  # who left in it
        self.stays = False  # nobody comes or goes in the next turn
        self.fills = False  # every seat is taken in the next turn
        self.come = 0

    def turn_over(self, rng: Random) -> None:
        """Some leave, some sit down; somebody always stays."""
        if self.stays:
            self.stays, self.left, self.joined = False, [], []
            return
        before = tuple(self.seated)
        self.left = [player for player in before[1:] if rng.random() < LEAVES]
        self.seated = [player for player in before if player not in self.left]
        while len(self.seated) < AT_LEAST or (
            len(self.seated) < SEATS and (self.fills or rng.random() < SITS_DOWN)
        ):
            self._sit(rng)
        self.fills = False
        self.joined = [player for player in self.seated if player not in before]

    def guest(self) -> str:
        """The name of somebody who comes for one bet and has never been here before."""
        self.come += 1
        return f"{self.table_id}-P{self.come:03d}"

    def wagers(self, round_id: str, terms: e.TermsPosted, rng: Random) -> list[e.WagerPlaced]:
        """What everybody bets this round, each stake inside the limits on the sign."""
        limits = {limit.bet: limit for limit in terms.limits}
        placed: list[e.WagerPlaced] = []
        for n, player in enumerate(self.seated):
            if n < AT_LEAST or rng.random() < BETS:
                for bet in _chosen(player, rng):
                    limit = limits[bet.split(":", maxsplit=1)[0]]
                    stake = _stake(player, limit, rng)
                    name = f"{round_id}-{len(placed) + 1}"
                    placed.append(
                        e.WagerPlaced(name, player.player_id, bet, stake, str(player.seat))
                    )
        return placed

    def _sit(self, rng: Random) -> None:
        taken = {player.seat for player in self.seated}
        seat = next(n for n in range(1, SEATS + 1) if n not in taken)
        units = rng.choice((1, 1, 2, 2, 3, 5, 8))
        bets = rng.choice((1, 1, 2, 2, 3))
        player = Player(self.guest(), seat, self.favourites(rng), units, bets)
        self.seated.append(player)


def _chosen(player: Player, rng: Random) -> tuple[str, ...]:
    liked = player.favourites
    first = int(rng.random() * len(liked))
    count = min(len(liked), 1 + int(rng.random() * player.bets))
    return tuple(liked[(first + n) % len(liked)] for n in range(count))


def _stake(player: Player, limit: e.Limit, rng: Random) -> int:
    # A winning mood doubles, a careful one goes down to the minimum.
    mood = (1, 1, 1, 2)[int(rng.random() * 4)]
    wanted = limit.minimum * player.units * mood
    extra = CHIP * int(rng.random() * 5)
    return min(wanted + extra, limit.maximum)
