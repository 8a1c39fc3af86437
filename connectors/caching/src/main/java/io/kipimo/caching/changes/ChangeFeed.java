package io.kipimo.caching.changes;

import io.kipimo.core.invalidation.frontier.ResumeToken;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.sdk.invalidation.InvalidationReader;
import io.kipimo.sdk.invalidation.NotificationsLostException;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.errors.InterruptException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the notifications of topic {@code invalidations} to a {@link ChangeServer}, on one thread. It begins with the
 * newest ones, as many as the server keeps; the server answers nobody before it has them. If some are lost, the feed
 * begins anew, and clients are told to load again.
 */
public final class ChangeFeed implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);
    private static final Duration POLL = Duration.ofMillis(200);
    private static final long PAUSE_MILLIS = 1_000;
    private static final long PATIENCE_MILLIS = 5_000;

    private final KafkaSettings kafka;
    private final ChangeServer server;
    private final int history;
    private final Thread thread = new Thread(this::run, "kipimo-changes");
    private volatile boolean closed;

    private ChangeFeed(KafkaSettings kafka, ChangeServer server, int history) {
        this.kafka = kafka;
        this.server = server;
        this.history = history;
    }

    /** Starts to read; continues until closed. */
    public static ChangeFeed start(KafkaSettings kafka, ChangeServer server, int history) {
        ChangeFeed feed = new ChangeFeed(kafka, server, history);
        feed.thread.setDaemon(true);
        feed.thread.start();
        return feed;
    }

    private void run() {
        try {
            while (!closed) {
                try (InvalidationReader reader = InvalidationReader.newest(kafka, history)) {
                    catchUp(reader);
                    read(reader);
                } catch (InterruptException e) {
                    return;
                } catch (NotificationsLostException e) {
                    LOG.warn("notifications are lost, clients load again: {}", e.getMessage());
                } catch (RuntimeException e) {
                    LOG.warn("cannot read notifications, trying again", e);
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A client that came back before could not be told whether it missed something. */
    private void catchUp(InvalidationReader reader) {
        ResumeToken start = reader.token();
        List<Invalidation> newest = new ArrayList<>();
        while (!closed && reader.isCatchingUp()) {
            newest.addAll(reader.poll(POLL));
        }
        server.restart(start, newest, reader.token());
    }

    private void read(InvalidationReader reader) {
        ResumeToken before = reader.token();
        while (!closed) {
            List<Invalidation> changes = reader.poll(POLL);
            if (!reader.token().equals(before)) {
                before = reader.token();
                server.publish(changes, before);
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
