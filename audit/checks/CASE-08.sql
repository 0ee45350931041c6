-- check:     CASE-08
-- title:     A rulebook edition was played and not filed in time
-- severity:  S2
-- live:      no
-- clauses:   NN:8.4.8, TB:8.4.8, RO:8.4.8, TH:8.4.8
-- why:       A changed rulebook is filed with the authority within five working days of taking
--            effect (Decree 121 art. 8).
-- benign:    A public holiday lengthens the term; the filing was made and filings.toml does not
--            have it yet.

with
played as (
    select game, edition, min(gaming_day) as began, min_by(table_id, (gaming_day, table_id)) as table_id
    from rounds
    where edition <> ''
        and gaming_day is not null
    group by game, edition
),
changed as (
    select
        edition.*,
        -- five working days on: a week from any of them, from a weekend the last of the next five
        edition.began + case dayofweek(edition.began) when 6 then 6 when 0 then 5 else 7 end as due_on
    from played as edition
    where exists (
        select 1
        from played as earlier
        where earlier.game = edition.game
            and earlier.began < edition.began
    )
)
select
    changed.game || ' ' || changed.edition as subject,
    changed.table_id,
    null as round_id,
    changed.began as gaming_day,
    filing.filed_on is not null as certain,
    'the edition filed by ' || changed.due_on::date as expected,
    coalesce('filed on ' || filing.filed_on, 'no filing') as found,
    (
        select list(term.event_id order by term.seq)
        from terms as term
        where term.table_id = changed.table_id
            and term.game = changed.game
    ) as evidence
from changed
left join (
    select game, edition, min(filed_on) as filed_on
    from filings
    group by game, edition
) as filing using (game, edition)
where coalesce(filing.filed_on, (select max(gaming_day) from rounds)) > changed.due_on
order by changed.table_id, subject
