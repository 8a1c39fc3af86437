package io.kipimo.operators.quality;

import io.kipimo.operators.types.SampledEventFormat;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.observation.Observation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Lets nothing pass but event time. Front ends send an observation every second, queries or not, so
 * with this stream beside the events open queries expire even when no sampled query comes any more;
 * and since it comes through the same log, a short outage of the log does not make queries look
 * expired. When front ends are silent, too, the join has its back-stop.
 */
public final class EventTimeOnly extends ProcessFunction<Observation, LoggedEvent> {
    private static final long serialVersionUID = 1L;

    /** The event time of {@code observations} as an empty stream of query events. */
    public static DataStream<LoggedEvent> of(DataStream<Observation> observations) {
        return observations
                .process(new EventTimeOnly(), SampledEventFormat.TYPE)
                .uid("event-time-of-observations")
                .name("event-time-of-observations");
    }

    @Override
    public void processElement(Observation observation, Context ctx, Collector<LoggedEvent> out) {}
}
