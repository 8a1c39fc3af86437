package io.kipimo.endtoend;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.tails.Demand;
import io.kipimo.schemas.tails.ProcessingCapacity;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowBuilder;
import io.kipimo.schemas.tails.TailWindowKind;
import io.kipimo.schemas.tails.TrafficCounts;
import java.util.Optional;

/** Output of the tails job for a tier of service pages: eight servers with low utilisation. */
public final class PagesTails {
    /** Length of every window. */
    public static final long WINDOW_MILLIS = 200;

    /** Number of requests in each window. */
    public static final int REQUESTS = 200;

    private PagesTails() {}

    /**
     * One window.
     *
     * @param meanMicros mean latency of a request without interference
     */
    public static TailWindow window(
            TailLevel level,
            String tier,
            double perSecond,
            double meanMicros,
            long endMillis,
            LatencySketch latencies) {
        return TailWindowBuilder.builder()
                .level(level)
                .kind(TailWindowKind.TUMBLING)
                .service("pages")
                .tier(tier)
                .component("")
                .server("")
                .startMillis(endMillis - WINDOW_MILLIS)
                .endMillis(endMillis)
                .servers(8)
                .counts(TrafficCounts.NONE)
                .requestsPerSecond(perSecond)
                .connectionsPerSecond(perSecond)
                .concurrency(1)
                .demand(Optional.of(new Demand(REQUESTS, meanMicros, 0.5)))
                .capacity(Optional.of(new ProcessingCapacity(16, 16e6 / meanMicros, 0.3)))
                .latencies(latencies.toBytes())
                .build();
    }
}
