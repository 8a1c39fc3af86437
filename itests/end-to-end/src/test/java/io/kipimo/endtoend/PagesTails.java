package io.kipimo.endtoend;

import io.kipimo.core.tails.LatencySketch;
import io.kipimo.schemas.tails.Demand;
import io.kipimo.schemas.tails.ProcessingCapacity;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
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
        return new TailWindow(
                level,
                TailWindowKind.TUMBLING,
                "pages",
                tier,
                "",
                "",
                endMillis - WINDOW_MILLIS,
                endMillis,
                8,
                TrafficCounts.NONE,
                perSecond,
                perSecond,
                Optional.empty(),
                1,
                Optional.empty(),
                0,
                0,
                Optional.empty(),
                Optional.of(new Demand(REQUESTS, meanMicros, 0.5)),
                Optional.of(new ProcessingCapacity(16, 16e6 / meanMicros, 0.3)),
                Optional.empty(),
                latencies.toBytes());
    }
}
