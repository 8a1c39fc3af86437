package io.kipimo.harness.oracle;

import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.Phase;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Two made-up services; one names its items by numbers, the other by texts. */
enum SearchService {
    SHOP("shop") {
        @Override
        Items items(int size, RandomGenerator random) {
            long[] ids = new long[size];
            Set<Long> seen = new HashSet<>();
            for (int i = 0; i < size; i++) {
                do {
                    // Half of them are negative as signed numbers.
                    ids[i] = random.nextLong(-4L * size, 4L * size);
                } while (!seen.add(ids[i]));
            }
            return Items.ofNumbers(ids, scores(size, random));
        }
    },
    LIBRARY("library") {
        @Override
        Items items(int size, RandomGenerator random) {
            String[] ids = new String[size];
            Set<String> seen = new HashSet<>();
            for (int i = 0; i < size; i++) {
                do {
                    // As texts, 10 comes before 9, and Zürich after Zagreb.
                    ids[i] =
                            (random.nextBoolean() ? "Zürich/" : "Zagreb/")
                                    + random.nextInt(4 * size);
                } while (!seen.add(ids[i]));
            }
            return Items.ofTexts(ids, scores(size, random));
        }
    };

    private static final int RESULT_ITEMS = 20;

    /** More than a record may have. */
    private static final int OVERSIZED_ITEMS = 12_000;

    private static final int DEADLINE_MILLIS = 100;

    private final String service;

    SearchService(String service) {
        this.service = service;
    }

    abstract Items items(int size, RandomGenerator random);

    /** Multiples of 1/64, so that many are equal. */
    private static float[] scores(int size, RandomGenerator random) {
        float[] scores = new float[size];
        for (int i = 0; i < size; i++) {
            scores[i] = random.nextInt(640) / 64f;
        }
        return scores;
    }

    Policy policy() {
        return new Policy(
                service,
                1,
                List.of("tpr@20", "ndcg@10"),
                MergePolicy.TOP_K,
                20,
                TrafficSettings.WINDOW_MILLIS,
                60_000,
                10_000,
                List.of(
                        new ClassPolicy("high", 0, 0.9, 1, 0.01, 1, Optional.empty()),
                        new ClassPolicy("low", 1, 0.9, 0.5, 0.01, 1, Optional.empty())),
                AdmissionPolicy.DEFAULT,
                SamplingPolicy.DEFAULT,
                false);
    }

    /** A query to which everything happens that can, with the shares that the test wants. */
    QueryTrace query(String queryId, long startMillis, RandomGenerator random) {
        List<Invocation> invocations = new ArrayList<>();
        List<PartialResult> partials = new ArrayList<>();
        List<PartialResult> latePartials = new ArrayList<>();
        List<PartialResult> stragglers = new ArrayList<>();
        long slowestMillis = 0;
        int components = random.nextInt(4, 7);
        for (int i = 0; i < components; i++) {
            String component = "part-" + i;
            long invokedAt = startMillis + random.nextInt(3);
            Fate fate = Fate.draw(random);
            long latencyMillis = fate.latencyMillis(random);
            if (fate.outcome == Outcome.IN_TIME) {
                slowestMillis = Math.max(slowestMillis, invokedAt + latencyMillis - startMillis);
            }
            invocations.add(
                    new Invocation(
                            component,
                            fate.outcome,
                            1000L * Math.min(latencyMillis, DEADLINE_MILLIS)));
            PartialResult partial =
                    new PartialResult(
                            service,
                            queryId,
                            component,
                            "server-" + random.nextInt(3),
                            fate.outcome == Outcome.IN_TIME ? Phase.ONLINE : Phase.MATURE,
                            invokedAt + latencyMillis,
                            // A component that is asked late need not take long.
                            fate == Fate.EXPIRED && random.nextBoolean()
                                    ? 5_000
                                    : 1000 * latencyMillis,
                            items(fate == Fate.OVERSIZED ? OVERSIZED_ITEMS : RESULT_ITEMS, random),
                            false,
                            startMillis);
            switch (fate) {
                case IN_TIME, TIMED_OUT, OVERSIZED -> partials.add(partial);
                case EXPIRED -> latePartials.add(partial);
                case STRAGGLER -> stragglers.add(partial);
                case LOST_IN_TIME, LOST, FAILED -> {
                    // Nothing is sent.
                }
            }
        }
        boolean isDegraded = invocations.stream().anyMatch(i -> i.outcome() != Outcome.IN_TIME);
        int chance = random.nextInt(100);
        long answeredAfter =
                chance == 0
                        ? TrafficSettings.WINDOW_MILLIS + random.nextInt(1_000, 5_000)
                        : isDegraded ? DEADLINE_MILLIS : slowestMillis;
        Optional<Answer> answer =
                Optional.of(
                        new Answer(
                                service,
                                queryId,
                                random.nextInt(3) == 0 ? "high" : "low",
                                AnswerKind.ONLINE,
                                startMillis,
                                startMillis + answeredAfter,
                                DEADLINE_MILLIS,
                                random.nextInt(4) == 0 ? 10 : 0,
                                invocations,
                                Items.NONE,
                                false));
        return new QueryTrace(
                policy(),
                new QueryKey(service, queryId),
                // One in a hundred is late, one is lost: both leave an orphan.
                chance <= 1 ? Optional.empty() : answer,
                partials,
                chance == 0 ? answer : Optional.empty(),
                latePartials,
                stragglers);
    }

    /** What a front end counted of both classes in one second. */
    List<Event> observations(int frontEnd, long secondMillis) {
        return Stream.of("high", "low")
                .map(
                        queryClass ->
                                Event.of(
                                        new Observation(
                                                service,
                                                "front",
                                                "front-" + frontEnd,
                                                queryClass,
                                                secondMillis,
                                                60,
                                                0,
                                                60,
                                                40,
                                                List.of(),
                                                MeasurementBill.NOTHING,
                                                1)))
                .toList();
    }

    /** A query in whose answer nothing is missing, at one instant; it moves the watermark on. */
    QueryTrace filler(String queryId, long timeMillis, RandomGenerator random) {
        Invocation invocation = new Invocation("part-0", Outcome.IN_TIME, 0);
        return new QueryTrace(
                policy(),
                new QueryKey(service, queryId),
                Optional.of(
                        new Answer(
                                service,
                                queryId,
                                "low",
                                AnswerKind.ONLINE,
                                timeMillis,
                                timeMillis,
                                DEADLINE_MILLIS,
                                0,
                                List.of(invocation),
                                Items.NONE,
                                false)),
                List.of(
                        new PartialResult(
                                service,
                                queryId,
                                "part-0",
                                "",
                                Phase.ONLINE,
                                timeMillis,
                                0,
                                items(RESULT_ITEMS, random),
                                false,
                                timeMillis)),
                Optional.empty(),
                List.of(),
                List.of());
    }

    /** What becomes of one component of one query; shares are parts of a thousand. */
    private enum Fate {
        IN_TIME(715, Outcome.IN_TIME, 5, 95),
        /** In the answer, but its event never comes. */
        LOST_IN_TIME(15, Outcome.IN_TIME, 5, 95),
        TIMED_OUT(215, Outcome.TIMED_OUT, 101, 3_000),
        OVERSIZED(1, Outcome.TIMED_OUT, 101, 3_000),
        /** Comes after the window. */
        EXPIRED(
                27,
                Outcome.TIMED_OUT,
                (int) TrafficSettings.WINDOW_MILLIS + 1_000,
                (int) TrafficSettings.WINDOW_MILLIS + 8_000),
        /** Never comes. */
        LOST(17, Outcome.TIMED_OUT, 101, 3_000),
        STRAGGLER(5, Outcome.TIMED_OUT, 101, 3_000),
        FAILED(5, Outcome.FAILED, 1, 50);

        private final int share;
        private final Outcome outcome;
        private final int leastMillis;
        private final int mostMillis;

        Fate(int share, Outcome outcome, int leastMillis, int mostMillis) {
            this.share = share;
            this.outcome = outcome;
            this.leastMillis = leastMillis;
            this.mostMillis = mostMillis;
        }

        static Fate draw(RandomGenerator random) {
            int left = random.nextInt(1000);
            for (Fate fate : values()) {
                left -= fate.share;
                if (left < 0) {
                    return fate;
                }
            }
            throw new IllegalStateException("shares do not sum to 1000");
        }

        long latencyMillis(RandomGenerator random) {
            return random.nextInt(leastMillis, mostMillis + 1);
        }
    }
}
