-- check:     REC-03
-- title:     The called result is not what the cards show
-- severity:  S1
-- mode:      live
-- clauses:   NN:4.11, NN:6.2.15, TB:7.16, SA-BC:2.2.4, SA-DT:4.2.3, SA-PD:6.3.3, TH:4.13
-- why:       The cards stand, not the call. Where the money followed the call it went to the wrong
--            side.
-- benign:    The dealer put it right at once and paid by the cards.

select
    'call'                                                      as subject,
    result.table_id,
    result.round_id,
    true                                                        as certain,
    'the cards show ' || round.outcome                          as expected,
    'the dealer called ' || string_agg(result.result, ', ' order by result.seq)
                                                                as found,
    list(result.event_id order by result.seq)                   as evidence
from results as result
join rounds as round using (table_id, round_id)
where result.shown_by = 'dealer'
    and round.result <> ''
    and coalesce(result.box, '') = ''
    and result.said <> round.result
    and exists (
        from cards as card
        where card.table_id = result.table_id
            and card.round_id = result.round_id
    )
group by result.table_id, result.round_id, round.outcome
order by result.table_id, result.round_id
