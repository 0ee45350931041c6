-- check:     PAY-08
-- title:     Money moved in a void round
-- severity:  S1
-- live:      round
-- trigger:   paid other than due
-- clauses:   NN:7.10, TB:2.2.20, TB:7.1.1, RO:7.10, SA-SB:8.5, SA-FPC:5.5, SA-HL:10.5, SA-XD:11.4,
--            SA-BC:2.2.4, SA-DT:4.2.3, SA-PD:6.3.3, TH:7.12, SA-AB:1.2.4, SA-RO:7.3, SA-TP:9.2.3,
--            SA-BJ:3.4.5
-- why:       A void round has no result: every stake goes back whole. Nothing may be paid or taken.
-- benign:    The round was declared void after the first payments, which were then taken back. Or
--            bets that should wait for a valid shake or spin went back whole in a round called void.

select
    wager.wager_id                                              as subject,
    wager.table_id,
    wager.round_id,
    not wager.called_off                                        as certain,
    wager.expected,
    wager.found,
    wager.evidence,
    wager.clauses,
    wager.house_minor,
    wager.player_minor
from mispaid as wager
where wager.kind = 'void round'
    and wager.status in ('void', 'unsettled')
order by wager.table_id, wager.round_id, subject
