-- check:     CASE-07
-- title:     A posted paytable returns more or less than its certificate says
-- severity:  S1
-- live:      no
-- clauses:   NN:8.4.2, TB:8.4.2, RO:8.4.2, TH:8.4.2
-- why:       The certificate is what the authority approved. A return above 100 % costs the house
--            every round, one below the range costs the player.
-- benign:    The certificate was renewed and the edition's file still has the old range.

with
posted as (
    select distinct table_id, game, edition, paytable
    from rounds
    where edition <> ''
),
measured as (
    select
        game,
        edition,
        paytable,
        bet,
        (numerator::hugeint * 20000 + denominator) // (2 * denominator::hugeint) as hundredths
    from returns
    where numerator is not null
)
select
    posted.paytable || ' ' || measured.bet as subject,
    posted.table_id,
    null as round_id,
    true as certain,
    case when certificate.game is null then 'a return of at most 100.00 %'
        else printf('a return from %.2f to %.2f %%', certificate.lowest / 100, certificate.highest / 100)
    end as expected,
    printf('%.2f %%', measured.hundredths / 100) as found,
    (
        select list(term.event_id order by term.seq)
        from terms as term
        where term.table_id = posted.table_id
            and term.game = posted.game
    ) as evidence
from posted
join measured using (game, edition, paytable)
left join certificates as certificate
    on certificate.game = posted.game
    and certificate.edition = posted.edition
    and (certificate.bets is null or list_contains(certificate.bets, measured.bet))
where measured.hundredths > 10000
    or measured.hundredths not between certificate.lowest and certificate.highest
order by posted.table_id, subject
