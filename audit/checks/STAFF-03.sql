-- check:     STAFF-03
-- title:     The tray is short by the same amount again and again
-- severity:  S1
-- live:      no
-- clauses:   NN:8.4.4, TB:8.4.4, RO:8.4.4, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.4, SA-AB:1.4, SA-RO:7.2.4, SA-TP:9.5, SA-BJ:3.7
-- why:       A payment that was not entered leaves a gap of any size. The same gap three times is a chip
--            of the same value each time, taken in a chip cup or a sleeve.
-- benign:    A fill or a credit of a standard size that nobody enters, or a chip that is counted with
--            the wrong value day after day.
-- unseen:    Trays that are not counted; chips of other values each time; a gap that a second one fills
--            before the next count.

select
    'short by ' || -gap                                         as subject,
    table_id,
    null                                                        as round_id,
    false                                                       as certain,
    'gaps of different sizes, if any'                           as expected,
    counted(count(*), 'count') || ' each ' || money(-gap, any_value(currency order by gaming_day, seq))
        || ' short, on ' || counted(count(distinct gaming_day), 'gaming day')
                                                                as found,
    list(event_id order by gaming_day, seq)                     as evidence
from tray_gaps
where gap < 0
group by table_id, gap
having count(*) > 2
order by table_id, subject
