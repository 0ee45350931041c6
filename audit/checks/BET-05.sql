-- check:     BET-05
-- title:     A wager below the minimum
-- severity:  S3
-- live:      round
-- trigger:   own flags
-- clauses:   NN:4.5.2.i, NN:7.11, TB:4.4, TB:7.17, RO:8.4.2, TH:7.10, SA-SB:8.2, SA-FPC:5.2,
--            SA-HL:10.2, SA-XD:11.2, SA-BC:2.4, SA-DT:4.3.3, SA-PD:6.3.1, SA-AB:1.2.2, SA-RO:7.2,
--            SA-TP:9.2.1, SA-BJ:3.3.2
-- why:       It is settled once; from then on the player's wagers below the minimum go back, where
--            the rules say so. The dealer should have said so before the deal.
-- benign:    The limit sign had just been changed.

with
suspects as (
    select table_id, round_id, wager_id
    from dues
    where list_contains(flags, 'BELOW_MIN')
    union
    select table_id, round_id, subject
    from flags
    where code = 'OFF_LIMITS'
)
select
    due.wager_id                                                as subject,
    due.table_id,
    due.round_id,
    true                                                        as certain,
    coalesce(
        'at least ' || money(sign.minimum, round.currency) || ' on ' || due.bet,
        'at least the posted minimum on ' || due.bet
    )                                                           as expected,
    money(due.stake, round.currency) || ' by player ' || due.player_id
                                                                as found,
    [wager.event_id]                                            as evidence
from suspects
join dues as due using (table_id, round_id, wager_id)
join rounds as round using (table_id, round_id)
join wagers as wager using (table_id, round_id, wager_id)
left join limits_at_issue as sign using (table_id, round_id, wager_id)
where (
        list_contains(due.flags, 'BELOW_MIN')
        and not list_contains(due.flags, 'BELOW_MIN_REPEAT')
    )
    or (
        wager.stake < sign.minimum
        and exists (
            from flags as flag
            where flag.table_id = due.table_id
                and flag.round_id = due.round_id
                and flag.subject = due.wager_id
                and flag.code = 'OFF_LIMITS'
        )
    )
order by due.table_id, due.round_id, subject
