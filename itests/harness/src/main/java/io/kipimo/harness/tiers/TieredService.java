package io.kipimo.harness.tiers;

import io.kipimo.sdk.ReplicationClient;
import io.kipimo.sdk.ServerReports;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Two tiers, {@value #FIRST} before {@value #LAST}, with four servers each, under a steady load.
 * Arbiters follow decisions and all report, so that with the tails job and the replication job the
 * loop is closed. Times are waited for, not computed: the machine is left to the jobs.
 *
 * <pre>{@code
 * load -> arbiter -> web-0..3 -> arbiter -> store-0..3
 *           ^ factors                ^ factors
 * }</pre>
 */
public final class TieredService implements AutoCloseable {
    public static final String FIRST = "web";
    public static final String LAST = "store";

    private static final int SERVERS = 4;
    private static final int THREADS = 2;

    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(THREADS);
    private final ServerReports reports;
    private final Tier first;
    private final Tier last;

    private TieredService(
            String service,
            KafkaSettings kafka,
            ReplicationClient factors,
            ServerTime firstTime,
            ServerTime lastTime,
            int requestsPerSecond) {
        reports = ServerReports.connect(kafka);
        last = new Tier(service, LAST, SERVERS, lastTime, null, factors, reports, timer, 1);
        first = new Tier(service, FIRST, SERVERS, firstTime, last, factors, reports, timer, 2);
        var unused =
                timer.scheduleAtFixedRate(
                        () -> first.ask(() -> {}),
                        0,
                        TimeUnit.SECONDS.toMicros(1) / requestsPerSecond,
                        TimeUnit.MICROSECONDS);
    }

    /**
     * Serves at once.
     *
     * @param service whose decisions {@code factors} follows
     */
    public static TieredService start(
            String service,
            KafkaSettings kafka,
            ReplicationClient factors,
            ServerTime firstTime,
            ServerTime lastTime,
            int requestsPerSecond) {
        return new TieredService(service, kafka, factors, firstTime, lastTime, requestsPerSecond);
    }

    /** Servers that the newest request of {@value #FIRST} was sent to. */
    public int copiesInFirst() {
        return first.newestCopies();
    }

    /** Servers that the newest request of {@value #LAST} was sent to. */
    public int copiesInLast() {
        return last.newestCopies();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        reports.close();
    }
}
