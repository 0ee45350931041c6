-- check:     BET-17
-- title:     A bet for a hand that was folded, or whose player was away
-- severity:  S2
-- live:      round
-- trigger:   own flags
-- clauses:   TH:2.2.13, TH:7.11, TH:7.11.1
-- why:       A fold is final and an absent player checks. Chips that come after it were put up by
--            somebody who knows more by then, or for somebody else.
-- benign:    The player came back in time and the absence was entered too early.

with
bets as (
    select
        due.table_id,
        due.round_id,
        due.wager_id as subject,
        case
            when list_contains(due.flags, 'BET_AFTER_FOLD') then 'no bet on a folded hand'
            else 'an absent player checks'
        end as expected,
        due.bet || ' ' || money(due.stake, round.currency) || ' by player ' || due.player_id
            as found,
        due.clauses,
        [wager.event_id] as evidence
    from dues as due
    join rounds as round using (table_id, round_id)
    join wagers as wager using (table_id, round_id, wager_id)
    where list_has_any(due.flags, ['BET_AFTER_FOLD', 'BET_WHILE_ABSENT'])
),
folds as (
    select
        flag.table_id,
        flag.round_id,
        flag.concerns as subject,
        'a fold before the Flop bet, or none' as expected,
        noted('one came after it', flag.note) as found,
        flag.clauses,
        flag.evidence
    from raised as flag
    where flag.code = 'FOLD_TOO_LATE'
)
select
    act.subject,
    act.table_id,
    act.round_id,
    true                                                        as certain,
    act.expected,
    act.found,
    act.clauses,
    act.evidence
from (from bets union all from folds) as act
order by act.table_id, act.round_id, act.subject
