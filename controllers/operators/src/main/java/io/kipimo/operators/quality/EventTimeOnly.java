package io.kipimo.operators.quality;

import io.kipimo.operators.types.EventFormats;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.observation.Observation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Passes on event time only. Front ends send an observation every second, with or without queries. So this stream lets
 * open queries expire even if no further sampled query comes. It comes through the same log, so a short outage of the
 * log does not expire queries. If front ends are silent too, the join uses its back-stop.
 */
public final class EventTimeOnly extends ProcessFunction<Observation, LoggedEvent> {
    /** The event time of {@code observations} as an empty stream of query events. */
    public static DataStream<LoggedEvent> of(DataStream<Observation> observations) {
        return observations
                .process(new EventTimeOnly(), EventFormats.EVENT.typeInfo())
                .uid("event-time-of-observations")
                .name("event-time-of-observations");
    }

    @Override
    public void processElement(Observation observation, Context ctx, Collector<LoggedEvent> out) {}
}
