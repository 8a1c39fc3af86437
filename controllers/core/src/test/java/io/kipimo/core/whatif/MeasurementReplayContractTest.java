package io.kipimo.core.whatif;

import io.kipimo.core.quality.join.JoinContract;
import io.kipimo.core.quality.join.JoinTraffic;
import io.kipimo.core.quality.join.JoinTraffic.Arrival;
import io.kipimo.schemas.quality.QueryEvent;
import java.util.List;

/** The events are sorted by their own times. */
class MeasurementReplayContractTest extends JoinContract {
    @Override
    protected Joined join(List<Arrival> arrivals, long seed) {
        List<QueryEvent> events = arrivals.stream().map(Arrival::event).toList();
        RecordedEvents recorded = new RecordedEvents(
                events.stream().filter(e -> e.isAnswer()).map(e -> e.answer()).toList(),
                events.stream().filter(e -> !e.isAnswer()).map(e -> e.partial()).toList(),
                List.of());
        return new Joined(
                MeasurementReplay.replay(JoinTraffic.policy(), recorded, key -> 0)
                        .measurements(),
                List.of());
    }

    @Override
    protected boolean profiles() {
        return false;
    }
}
