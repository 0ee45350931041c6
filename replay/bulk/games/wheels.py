"""A usual spin of a wheel: one ball against the wheel, often enough round it, and one number."""

import numpy as np

from replay.bulk.frame import Column
from replay.bulk.usual import Usual
from schemas import events as e


def pockets(usual: Usual, revolutions: int, wheel: int) -> Column:
    """The pocket of each round; leaves rounds whose ball did not run or rest as it should."""
    frame, landed = usual.frame, usual.frame.of(e.BallLanded)
    released, tracked = frame.of(e.BallReleased), frame.of(e.BallTracked)
    ball = np.array(frame.words.get("ball_direction", ()), dtype=object)
    turns = np.array(frame.words.get("wheel_direction", ()), dtype=object)
    if len(released):
        alike = ball[released["ball_direction"]] == turns[released["wheel_direction"]]
        usual.leave("a ball that ran with the wheel", released.round[alike.astype(bool)])
    usual.leave("too few revolutions", tracked.round[tracked["revolutions"] < revolutions])
    pocket = landed["pocket"]
    foreign = (pocket < 0) | (pocket >= wheel)
    usual.leave("no pocket of the wheel", landed.round[foreign])
    found = np.zeros(len(frame), np.int64)
    found[landed.round] = np.where(foreign, 0, pocket)
    dolly = frame.of(e.DollyPlaced)
    usual.leave("a dolly elsewhere", dolly.round[dolly["number"] != found[dolly.round]])
    return found
