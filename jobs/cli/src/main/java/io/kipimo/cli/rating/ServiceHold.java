package io.kipimo.cli.rating;

import io.kipimo.kafka.KafkaTargetHold;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Holds a service's admission and replication until it is closed. If this process dies, the hold ends by itself. */
final class ServiceHold implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceHold.class);
    private static final long RENEWAL_MILLIS = KafkaTargetHold.LEASE_MILLIS / 4;

    private final KafkaTargetHold hold;
    private final String service;
    private final String ratingId;
    private final ScheduledExecutorService renewals;

    private ServiceHold(KafkaTargetHold hold, String service, String ratingId) {
        this.hold = hold;
        this.service = service;
        this.ratingId = ratingId;
        renewals = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "service-hold");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Returns when the log has the hold.
     *
     * @throws io.kipimo.sdk.kafka.BrokerUnavailableException if Kafka does not answer, or refuses
     */
    static ServiceHold begin(KafkaSettings kafka, String service, String ratingId) {
        ServiceHold begun = new ServiceHold(new KafkaTargetHold(kafka), service, ratingId);
        begun.renew();
        var unused = begun.renewals.scheduleWithFixedDelay(
                begun::tryToRenew, RENEWAL_MILLIS, RENEWAL_MILLIS, TimeUnit.MILLISECONDS);
        return begun;
    }

    private void renew() {
        hold.hold(service, ratingId, System.currentTimeMillis() + KafkaTargetHold.LEASE_MILLIS);
    }

    private void tryToRenew() {
        try {
            renew();
        } catch (RuntimeException e) {
            LOG.warn("the hold of {} could not be renewed: {}", service, e.getMessage());
        }
    }

    /** Ends the hold, also if the thread is interrupted. */
    @Override
    public void close() {
        // Kafka's clients fail in an interrupted thread.
        boolean interrupted = Thread.interrupted();
        renewals.shutdownNow();
        try {
            boolean unused = renewals.awaitTermination(1, TimeUnit.SECONDS);
            hold.release(service, ratingId);
        } catch (InterruptedException e) {
            interrupted = true;
        } catch (RuntimeException e) {
            LOG.warn(
                    "the hold of {} ends by itself within {} s: {}",
                    service,
                    TimeUnit.MILLISECONDS.toSeconds(KafkaTargetHold.LEASE_MILLIS),
                    e.getMessage());
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
