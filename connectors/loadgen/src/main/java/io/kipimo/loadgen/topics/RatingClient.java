package io.kipimo.loadgen.topics;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.function.BiConsumer;

/** Asks the rating job for ratings and waits for them. */
public final class RatingClient implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);

    private final TopicLine<Rating, Rating> line;

    /**
     * @throws org.apache.kafka.common.KafkaException if the log is away
     */
    public RatingClient(KafkaSettings kafka) {
        line = new TopicLine<>(kafka, Topic.RATINGS, Codecs.RATING, Topic.RATINGS, Codecs.RATING);
    }

    /**
     * Asks for a rating and returns when it is over.
     *
     * @param heard hears each state of it, the one before and the new one
     * @throws InterruptedException if the thread was; the rating goes on
     */
    public Rating rate(RatingRequest request, BiConsumer<Rating, Rating> heard)
            throws InterruptedException {
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
                    heard.accept(known, rating);
                    known = rating;
                }
            }
        }
        return known;
    }

    /** Tells of a rating that was found without the job. */
    public void publish(Rating rating) {
        line.write(rating.ratingId(), rating);
        line.flush();
    }

    @Override
    public void close() {
        line.close();
    }
}
