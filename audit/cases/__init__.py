"""Disputes: the steps of each, what may come next, and what it rests on (clauses 8.1 to 8.6).

`case` holds a dispute as the steps that were taken; `rules` says whether another may follow. Both
are pure. `case_log` keeps the steps in the log, `evidence_store` the files. `clocks` says what is
due by when, from the tables of `jurisdictions.toml`. `recompute` works out the money.
"""
