package io.kipimo.loadgen.topics;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.function.BiConsumer;

/** Requests ratings from the rating job and waits for them. */
public final class RatingClient implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final TopicLine<Rating, Rating> line;

    /**
     * Connects to the log.
     *
     * @throws org.apache.kafka.common.KafkaException if the log is unavailable
     */
    public RatingClient(KafkaSettings kafka) {
        line = new TopicLine<>(kafka, Topic.RATINGS, Codecs.RATING, Topic.RATINGS, Codecs.RATING);
    }

    /**
     * Requests a rating and returns when it has ended.
     *
     * @param listener gets each state, with the previous one
     * @throws InterruptedException if the thread was interrupted; the rating continues
     */
    public Rating rate(RatingRequest request, BiConsumer<Rating, Rating> listener) throws InterruptedException {
        Rating known = Rating.requested(request);
        line.write(request.ratingId(), known);
        line.flush();
        while (!known.state().isOver()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            for (Rating rating : line.poll(POLL)) {
                if (rating.ratingId().equals(request.ratingId())
                        && !known.state().isOver()
                        && rating.trials().size() >= known.trials().size()) {
                    listener.accept(known, rating);
                    known = rating;
                }
            }
        }
        return known;
    }

    @Override
    public void close() {
        line.close();
    }
}
