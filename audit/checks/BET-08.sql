-- check:     BET-08
-- title:     The table differential was exceeded
-- severity:  S2
-- live:      round
-- trigger:   any rows
-- clauses:   TB:2.2.17, TB:4.3, TB:4.3.1, TB:7.19
-- why:       The difference between the two sides is what the house can lose on a hand. Players
--            should have been asked to alter their wagers before the deal.
-- benign:    A large wager came in with the call, too late to be sent back.

select
    flag.concerns                                               as subject,
    flag.table_id,
    flag.round_id,
    true                                                        as certain,
    coalesce(
        'Player and Banker differ by at most ' || money(posted.differential, flag.currency),
        'Player and Banker differ by at most the posted amount'
    )                                                           as expected,
    noted(
        'they differ by ' || money(
            abs(
                coalesce(sum(wager.stake) filter (wager.bet = 'banker'), 0)
                - coalesce(sum(wager.stake) filter (wager.bet = 'player'), 0)
            ),
            flag.currency
        ),
        flag.note
    )                                                           as found,
    flag.clauses,
    flag.evidence
from raised as flag
join rounds as round using (table_id, round_id)
left join terms_in_force as posted using (table_id, round_id)
left join wagers as wager using (table_id, round_id)
where flag.code = 'DIFFERENTIAL_EXCEEDED'
group by
    flag.concerns, flag.table_id, flag.round_id, flag.currency, flag.note, flag.clauses,
    flag.evidence, posted.differential
order by flag.table_id, flag.round_id, subject
