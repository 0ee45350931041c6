"""The bulk lane: usual rounds of a table-day settled in columns, by the rules of the plain lane.

    frame          a table-day's folded rounds as columns, a table for each kind of event
    usual          which rounds are usual, and the reason of each that is not
    games/         a game: the order of its usual events, and the result of each round as a code
    prices         bet and result to the paytable line that settles them, and columns of amounts
    lane           usual rounds in columns, the others and a sample of the usual in the plain lane

docs/bulk.md says how they work together and what is usual in each game.
"""
