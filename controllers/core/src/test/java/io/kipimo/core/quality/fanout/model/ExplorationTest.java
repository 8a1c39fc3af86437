package io.kipimo.core.quality.fanout.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.Effort;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.core.sampling.Exploration;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.FanOutPolicy;
import io.kipimo.schemas.policy.Policy;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The whole loop, with 5 % of the queries sampled and 5 % explored: front ends choose by what is published; explored
 * queries teach, and while everything is asked the other sampled ones, too. A publication follows every five seconds of
 * 100 queries.
 */
class ExplorationTest {
    private static final ServiceClass LOW = new ServiceClass("search", "low");
    private static final int PER_SECOND = 100;
    private static final long SLIDE_MILLIS = 5_000;
    private static final double FLOOR = 0.8;
    private static final double SHARE = 0.05;
    private static final Policy POLICY = Policy.builder()
            .service("search")
            .metrics(List.of("tpr@20"))
            .classes(List.of(ClassPolicy.builder().name("low").objective(0.5).build()))
            .fanOut(Optional.of(FanOutPolicy.builder()
                    .classes(List.of("low"))
                    .floor(FLOOR)
                    .exploration(SHARE)
                    .periodMillis(10_000)
                    .shadow(false)
                    .build()))
            .build();

    private final ContributionLearner learner = Topics.learner();
    private Optional<FanOutPublication> published = Optional.empty();
    private Optional<PublishedFanOut> used = Optional.empty();
    private Topics.Stream stream;
    private long queries;
    private long explored;

    private FanOutChoice choose(String id, Topics.Query query) {
        return used.map(p -> p.choose(id, query.features(), Topics.COMPONENTS, now()))
                .orElseGet(() -> FanOutChoice.all(Topics.COMPONENTS, FanOutChoice.Reason.NOT_PUBLISHED));
    }

    private long now() {
        return 1_764_000_000_000L + queries * 1_000 / PER_SECOND;
    }

    /** Share of the queries of topic 3 that ask component d, of those that are not explored. */
    private double shareThatAsksD() {
        return IntStream.range(0, 100)
                .mapToObj(i -> "plain" + i)
                .filter(id -> !Exploration.isExplored(id, SHARE))
                .mapToDouble(id -> choose(id, stream.ofTopic(3)).asked().contains("d") ? 1 : 0)
                .average()
                .orElseThrow();
    }

    /** Mean true quality of some queries. */
    private double serve(int count) {
        double kept = 0;
        for (int i = 0; i < count; i++) {
            Topics.Query query = stream.next();
            FanOutChoice choice = choose("q" + queries, query);
            kept += query.kept(choice.asked());
            explored += choice.explored() ? 1 : 0;
            if (choice.explored() || (!isOn() && ConsistentSampling.isSampled("q" + queries, SHARE))) {
                query.teach(learner);
            }
            queries++;
            if (queries % (PER_SECOND * SLIDE_MILLIS / 1_000) == 0) {
                FanOutPublisher.next(published, Optional.of(learner), POLICY, LOW, SLIDE_MILLIS, now())
                        .ifPresent(next -> {
                            published = Optional.of(next);
                            used = Optional.of(new PublishedFanOut(next));
                        });
            }
        }
        return kept / count;
    }

    /** Learns as much as a service in operation has, and begins to choose. */
    private void begin() {
        for (int i = 0; i < 8_000; i++) {
            stream.next().teach(learner);
        }
        serve(1_000);
        assertThat(isOn()).as("%s", published.map(FanOutPublication::reason)).isTrue();
    }

    private boolean isOn() {
        return published.filter(p -> p.state() == FanOutState.ON).isPresent();
    }

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Effort.of(1, 10));
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aComponentThatBecomesUsefulAgainIsAskedAfterAtMost200ExploredQueries(long seed) {
        stream = new Topics.Stream(seed);
        stream.moveTopic(3, 0);
        begin();
        assertThat(shareThatAsksD()).isLessThan(0.2);

        stream.moveTopic(3, 3);
        explored = 0;
        while (explored < 200 && shareThatAsksD() < 0.9) {
            serve(20);
        }
        assertThat(explored).isLessThan(200);

        serve(Effort.of(50_000, 200_000));
        assertThat(isOn()).as("%s", published.map(FanOutPublication::reason)).isTrue();
        assertThat(shareThatAsksD()).isGreaterThan(0.9);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void after2000QueriesAShiftOfAllTopicsNoLongerCostsQuality(long seed) {
        stream = new Topics.Stream(seed);
        begin();

        for (int topic = 0; topic < 4; topic++) {
            stream.moveTopic(topic, (topic + 1) % 4);
        }
        assertThat(serve(100)).as("the shift hurts").isLessThan(0.6);
        serve(1_900);

        for (int batch = 0; batch < Effort.of(10, 40); batch++) {
            assertThat(serve(5_000)).isGreaterThan(FLOOR - 0.01);
        }
        assertThat(isOn()).as("%s", published.map(FanOutPublication::reason)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void withoutAShiftItStaysOn(long seed) {
        stream = new Topics.Stream(seed);
        begin();
        for (int batch = 0; batch < Effort.of(50, 200); batch++) {
            serve(1_000);
            assertThat(isOn())
                    .as("%s", published.map(FanOutPublication::reason))
                    .isTrue();
        }
    }
}
