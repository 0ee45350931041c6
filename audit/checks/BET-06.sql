-- check:     BET-06
-- title:     A wager above the maximum
-- severity:  S2
-- live:      round
-- trigger:   stake over limit
-- clauses:   NN:7.11, TB:4.4, TB:7.18, RO:8.4.2, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2,
--            SA-BC:2.4, SA-DT:4.3.3, SA-PD:6.2.1, TH:7.10, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2,
--            SA-BJ:3.3.2
-- why:       The maximum is the risk the house accepts on one wager; the dealer should have given
--            the excess back before the deal.
-- benign:    A higher limit had been agreed for the player and was not posted.

with
suspects as (
    select table_id, round_id, wager_id
    from limits_at_issue
    where stake > maximum
    union
    select table_id, round_id, wager_id
    from dues
    where list_contains(flags, 'OVER_MAX')
)
select
    wager.wager_id                                              as subject,
    wager.table_id,
    wager.round_id,
    true                                                        as certain,
    coalesce(
        'at most ' || money(sign.maximum, round.currency) || ' on ' || wager.bet,
        'at most the posted maximum on ' || wager.bet
    )                                                           as expected,
    money(wager.stake, round.currency) || ' by player ' || wager.player_id
                                                                as found,
    [wager.event_id]                                            as evidence
from suspects
join wagers as wager using (table_id, round_id, wager_id)
join rounds as round using (table_id, round_id)
left join dues as due using (table_id, round_id, wager_id)
left join limits_at_issue as sign using (table_id, round_id, wager_id)
where coalesce(list_contains(due.flags, 'OVER_MAX'), false)
    or (
        not limits_by_ruling(round.game)
        and wager.late is not true
        and wager.stake > sign.maximum
    )
order by wager.table_id, wager.round_id, subject
