-- check:     INT-14
-- title:     A device said what its kind cannot know
-- severity:  S2
-- live:      no
-- clauses:   NN:8.4.6, TB:8.4.6, RO:8.4.6, SA-SB:8.2, SA-FPC:5.2, SA-HL:10.2, SA-XD:11.2, SA-BC:2.2,
--            SA-DT:4.2, SA-PD:6.3, TH:8.4.6, SA-AB:1.2, SA-RO:7.2, SA-TP:9.2, SA-BJ:3.4
-- why:       A chip sensor sees no cards and a camera makes no ruling. Whoever has the key or the place
--            of one device speaks for another, and a witness is counted twice or invented.
-- benign:    A device that was set up under the wrong kind, before the doors refused such readings.

-- schemas/speakers.py, which a test compares with it
with
may_say (type, kinds) as (
    values
        ('TableOpened', ['console', 'pit']),
        ('TableClosed', ['console', 'pit']),
        ('TermsPosted', ['console', 'pit']),
        ('StaffCameOn', ['console', 'pit']),
        ('StaffWentOff', ['console', 'pit']),
        ('ShoeLoaded', ['shoe', 'console', 'pit']),
        ('ShoeRemoved', ['shoe', 'console', 'pit']),
        ('ShoeExhausted', ['shoe', 'console', 'pit']),
        ('CardsBurned', ['shoe', 'console', 'pit']),
        ('CutCardReached', ['shoe', 'console', 'pit']),
        ('LastHandAnnounced', ['console', 'pit']),
        ('CardsShuffled', ['shoe', 'shuffler', 'console', 'pit']),
        ('DeviceJammed', ['shoe', 'shuffler', 'wheel', 'shaker', 'chips', 'camera', 'console', 'pit']),
        ('DeviceBeat', ['shoe', 'shuffler', 'wheel', 'shaker', 'chips', 'camera', 'console', 'pit']),
        ('DeviceMoved', ['shoe', 'shuffler', 'wheel', 'shaker', 'chips', 'camera', 'console', 'pit']),
        ('CameraDisturbed', ['camera']),
        ('RoundOpened', ['console', 'pit']),
        ('BettingOpened', ['console', 'pit']),
        ('BettingClosed', ['console', 'pit']),
        ('WagerPlaced', ['console', 'pit']),
        ('WagerChanged', ['console', 'pit']),
        ('WagerWithdrawn', ['console', 'pit']),
        ('SeatTaken', ['console', 'pit']),
        ('SeatLeft', ['console', 'pit']),
        ('StakeRead', ['chips']),
        ('CardDrawn', ['shoe']),
        ('CardPlaced', ['console', 'pit']),
        ('CardExposed', ['shoe', 'console', 'pit']),
        ('CardHandled', ['console', 'pit']),
        ('DecisionMade', ['console', 'pit']),
        ('BallReleased', ['wheel']),
        ('BallTracked', ['wheel']),
        ('BallLanded', ['wheel']),
        ('SpinDisturbed', ['wheel', 'console', 'pit']),
        ('BallExamined', ['console', 'pit']),
        ('BallReturned', ['wheel', 'console', 'pit']),
        ('DollyPlaced', ['console', 'pit']),
        ('NoSpinCalled', ['console', 'pit']),
        ('ShakerStarted', ['shaker']),
        ('ShakerStopped', ['shaker']),
        ('ShakerOpened', ['shaker']),
        ('BowlRemoved', ['shaker', 'console', 'pit']),
        ('EquipmentDropped', ['shaker', 'console', 'pit']),
        ('TokensRevealed', ['shaker']),
        ('TokensRearranged', ['console', 'pit']),
        ('CardsObserved', ['camera']),
        ('DiceObserved', ['camera']),
        ('TokensObserved', ['camera']),
        ('ResultCalled', ['shoe', 'wheel', 'shaker', 'console', 'pit']),
        ('WagerSettled', ['console', 'pit']),
        ('TrayCounted', ['chips', 'console', 'pit']),
        ('ColourChipsIssued', ['console', 'pit']),
        ('IrregularityReported', ['console', 'pit']),
        ('RulingMade', ['console', 'pit']),
        ('RoundVoided', ['console', 'pit']),
        ('ReshakeOrdered', ['console', 'pit']),
        ('FreeHandDeclared', ['console', 'pit']),
        ('RoundClosed', ['console', 'pit']),
        ('CorrectionMade', ['console', 'pit']),
        ('GapFound', ['gateway']),
        ('TwinConflicted', ['gateway']),
        ('LateArrived', ['gateway']),
        ('ClockStepped', ['gateway'])
),
-- there are few pairs of a type and a kind, and many events
odd as (
    select said.type, said.device_kind, may.kinds
    from (select distinct type, device_kind from events) as said
    join may_say as may using (type)
    where not list_contains(may.kinds, said.device_kind)
)
select
    concat_ws(' ', event.device_id, event.type, event.gaming_day) as subject,
    event.table_id,
    null::varchar                                               as round_id,
    true                                                        as certain,
    event.type || ' from ' || array_to_string(any_value(may.kinds), ', ') as expected,
    counted(count(*), 'reading') || ' of ' || event.device_id || ', a ' || event.device_kind as found,
    list(event.event_id order by event.seq)                     as evidence,
    event.gaming_day
from events as event
join odd as may using (type, device_kind)
group by event.table_id, event.gaming_day, event.device_id, event.device_kind, event.type
order by event.table_id, subject, event.device_kind
