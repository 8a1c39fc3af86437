package io.kipimo.caching.changes;

import io.kipimo.core.invalidation.frontier.ResumeToken;
import io.kipimo.schemas.caching.Invalidation;
import io.kipimo.sdk.internal.kafka.TopicLoop;
import io.kipimo.sdk.invalidation.InvalidationReader;
import io.kipimo.sdk.invalidation.NotificationsLostException;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the notifications of topic {@code invalidations} to a {@link ChangeServer}, on one thread. It begins with the
 * newest notifications, as many as the server keeps; until the server has them, it answers no client. If notifications
 * are lost, the feed begins anew, and clients are told to load again.
 */
public final class ChangeFeed implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ChangeFeed.class);
    private static final long PATIENCE_MILLIS = 5_000;

    private final ChangeServer server;
    private final TopicLoop loop;

    private ChangeFeed(KafkaSettings kafka, ChangeServer server, int history) {
        this.server = server;
        loop = new TopicLoop(
                "kipimo-changes",
                () -> InvalidationReader.newest(kafka, history),
                this::follow,
                e -> {},
                PATIENCE_MILLIS);
    }

    /** Starts to read; continues until closed. */
    public static ChangeFeed start(KafkaSettings kafka, ChangeServer server, int history) {
        ChangeFeed feed = new ChangeFeed(kafka, server, history);
        feed.loop.start();
        return feed;
    }

    private void follow(InvalidationReader reader, TopicLoop running) {
        try {
            catchUp(reader, running);
            read(reader, running);
        } catch (NotificationsLostException e) {
            LOG.warn("notifications are lost, clients load again: {}", e.getMessage());
        }
    }

    /**
     * Gives the server the newest notifications. Without them, it could not tell a client that comes back whether the
     * client missed something.
     */
    private void catchUp(InvalidationReader reader, TopicLoop running) {
        ResumeToken start = reader.token();
        List<Invalidation> newest = new ArrayList<>();
        while (!running.isClosed(0) && reader.isCatchingUp()) {
            newest.addAll(reader.poll(TopicLoop.POLL));
        }
        server.restart(start, newest, reader.token());
    }

    private void read(InvalidationReader reader, TopicLoop running) {
        ResumeToken before = reader.token();
        while (!running.isClosed(0)) {
            List<Invalidation> changes = reader.poll(TopicLoop.POLL);
            if (!reader.token().equals(before)) {
                before = reader.token();
                server.publish(changes, before);
            }
        }
    }

    @Override
    public void close() {
        loop.close();
    }
}
