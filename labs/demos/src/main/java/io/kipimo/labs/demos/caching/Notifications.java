package io.kipimo.labs.demos.caching;

import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.sdk.invalidation.InvalidationReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Follows topic {@code invalidations} and passes each notification to the listeners of its table. */
final class Notifications implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(500);

    private final InvalidationReader reader;
    private final Map<String, NotificationObserver> byTable = new ConcurrentHashMap<>();
    private final Thread thread = new Thread(this::run, "demo-notifications");
    private volatile boolean closed;

    private Notifications(InvalidationReader reader) {
        this.reader = reader;
    }

    /** Receives the notifications of one table, on one thread. */
    interface NotificationObserver {
        /**
         * Receives a notification.
         *
         * @param nowMillis when the notification was read, epoch milliseconds
         */
        void notified(Invalidation invalidation, long nowMillis);
    }

    static Notifications open(KafkaSettings kafka) {
        Notifications all = new Notifications(InvalidationReader.fromBeginning(kafka));
        all.thread.setDaemon(true);
        all.thread.start();
        return all;
    }

    void listen(String table, NotificationObserver listener) {
        byTable.put(table, listener);
    }

    void ignore(String table) {
        byTable.remove(table);
    }

    private void run() {
        try (reader) {
            while (!closed) {
                for (Invalidation one : reader.poll(POLL)) {
                    NotificationObserver listener = byTable.get(one.table());
                    if (listener != null) {
                        listener.notified(one, System.currentTimeMillis());
                    }
                }
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join(10 * POLL.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
