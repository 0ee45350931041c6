-- check:     INT-01
-- title:     Readings of a device are missing
-- severity:  S2
-- live:      table-day
-- trigger:   table alarm
-- clauses:   NN:8.4.6, TB:8.4.6, RO:8.4.6, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.6, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2, SA-BJ:3.4
-- why:       Every reading of a device carries the next number. A number that never came is a
--            reading that nobody can be shown, and a dispute may turn on it.
-- benign:    The readings come in later; once all of them are there the gap is closed.

select
    gap.device_id || ' ' || gap.expected                        as subject,
    gap.table_id,
    gap.round_id,
    true                                                        as certain,
    gap.device_id || ' sends reading ' || gap.expected
        || ' next'                                              as expected,
    'reading ' || gap.found || ' came, '
        || (gap.numbers - gap.come_since) || ' of '
        || gap.numbers || ' between are missing'                as found,
    list(gap.event_id order by gap.seq)                         as evidence,
    gap.gaming_day
from open_gaps as gap
group by all
order by gap.table_id, gap.round_id, subject
