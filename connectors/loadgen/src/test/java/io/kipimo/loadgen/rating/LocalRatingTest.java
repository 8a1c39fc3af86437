package io.kipimo.loadgen.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.kipimo.loadgen.generator.QueueingWorkload;
import io.kipimo.loadgen.workload.Restoration;
import io.kipimo.loadgen.workload.Share;
import io.kipimo.loadgen.workload.Target;
import io.kipimo.loadgen.workload.Workload;
import io.kipimo.schemas.rating.AgreementTerms;
import io.kipimo.schemas.rating.ExperimentCounts;
import io.kipimo.schemas.rating.ExperimentTermsBuilder;
import io.kipimo.schemas.rating.LoadModel;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.rating.RatingRequest;
import io.kipimo.schemas.rating.RatingState;
import io.kipimo.schemas.rating.RatingTechnique;
import io.kipimo.schemas.rating.SearchTerms;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LocalRatingTest {
    private static final long SERVICE_MICROS = 4_000;
    private static final long BOUND_MILLIS = 100;
    private static final int ATTEMPTS = 10;
    private static final double CAPACITY = 1e6 / SERVICE_MICROS;

    private static RatingRequest request(int generators) {
        return new RatingRequest(
                "r",
                "",
                "queue",
                new AgreementTerms(0.9, 1_000 * BOUND_MILLIS, 0, 0, 0.01, 300),
                new SearchTerms(RatingTechnique.ADAPTIVE, 2, 0, 0.1, SearchTerms.MOST_LOAD, 50),
                ExperimentTermsBuilder.builder()
                        .model(LoadModel.OPEN)
                        .unit(30)
                        .warmUpMillis(100)
                        .millis(300)
                        .generators(generators)
                        .patienceMillis(10_000)
                        .seed(1)
                        .build(),
                System.currentTimeMillis());
    }

    /** A queue; the last of three generators may delay its requests. */
    private static final class Queue implements Target {
        private final QueueingWorkload queue = new QueueingWorkload(SERVICE_MICROS);
        private final long slowMicros;
        private final AtomicInteger prepared = new AtomicInteger();

        Queue(long slowMicros) {
            this.slowMicros = slowMicros;
        }

        @Override
        public Restoration prepare() {
            return prepared.incrementAndGet() == 1 ? Restoration.CREATED : Restoration.RESTORED;
        }

        @Override
        public Workload open(Share share) {
            long spin = share.index() == 2 ? slowMicros * 1_000 : 0;
            return new Workload() {
                @Override
                public Session session(long user, long seed) {
                    Session behind = queue.session(user, seed);
                    return () -> {
                        long until = System.nanoTime() + spin;
                        while (System.nanoTime() < until) {
                            Thread.onSpinWait();
                        }
                        return behind.request();
                    };
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public void close() {
            queue.close();
        }
    }

    @Test
    void findsWhatAQueueCarries() throws Exception {
        for (int attempt = 1; ; attempt++) {
            try (Queue target = new Queue(0)) {
                Rating rating = LocalRating.run(request(3), target, RatingListener.NONE);

                if (rating.state() == RatingState.GENERATORS_TOO_WEAK
                        || target.queue.longestDelayMillis() >= BOUND_MILLIS / 2) {
                    assumeTrue(attempt < ATTEMPTS, "this machine is too busy to load anything, or to be a queue");
                    continue;
                }
                assertThat(rating.state()).as("%s", rating).isEqualTo(RatingState.FOUND);
                // A short experiment ends before a slight overload fills the queue up to the latency
                // bound.
                assertThat(rating.throughput()).isBetween(CAPACITY / 4, 2 * CAPACITY);
                assertThat(target.prepared).hasValue(rating.trials().size());
                assertThat(rating.trials()).allMatch(t -> t.prepareMillis() > 0);
                return;
            }
        }
    }

    /**
     * Figure 11: one of three generators is slower than the others. Its delay must not look like a lower capacity of
     * the target.
     */
    @Test
    void aSlowGeneratorMakesNoLowerRating() throws Exception {
        try (Queue target = new Queue(60_000)) {
            Rating rating = LocalRating.run(request(3), target, RatingListener.NONE);

            ExperimentCounts first = rating.trials().get(0).counts();
            assumeTrue(
                    rating.state() != RatingState.NONE || first.withinFromSending() >= 0.9 * first.requests(),
                    "this machine is too busy: also what was sent in time was answered late");
            assertThat(rating.state()).as("%s", rating).isEqualTo(RatingState.GENERATORS_TOO_WEAK);
            assertThat(rating.remark()).isNotEmpty();
        }
    }
}
