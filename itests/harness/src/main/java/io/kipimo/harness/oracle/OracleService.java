package io.kipimo.harness.oracle;

import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Three synthetic services. Two merge partial results; one of them identifies items by numbers, the other by texts. The
 * third obtains its mature answers by replay.
 */
enum OracleService {
    SHOP("shop", MergeKind.TOP_K_BY_SCORE) {
        @Override
        Items items(int size, RandomGenerator random) {
            long[] ids = new long[size];
            Set<Long> seen = new HashSet<>();
            for (int i = 0; i < size; i++) {
                do {
                    // Half of the ids are negative as signed numbers.
                    ids[i] = random.nextLong(-4L * size, 4L * size);
                } while (!seen.add(ids[i]));
            }
            return Items.ofNumbers(ids, scores(size, random));
        }
    },
    LIBRARY("library", MergeKind.TOP_K_BY_SCORE) {
        @Override
        Items items(int size, RandomGenerator random) {
            String[] ids = new String[size];
            Set<String> seen = new HashSet<>();
            for (int i = 0; i < size; i++) {
                do {
                    // Sorted as texts, 10 precedes 9, and Zürich follows Zagreb.
                    ids[i] = (random.nextBoolean() ? "Zürich/" : "Zagreb/") + random.nextInt(4 * size);
                } while (!seen.add(ids[i]));
            }
            return Items.ofTexts(ids, scores(size, random));
        }
    },
    ARCHIVE("archive", MergeKind.REPLAYED_ANSWERS) {
        @Override
        Items items(int size, RandomGenerator random) {
            return SHOP.items(size, random);
        }
    };

    /** Expiration window of all services. */
    public static final long WINDOW_MILLIS = 5_000;

    static final int DEADLINE_MILLIS = 100;

    private static final int FILLER_ITEMS = 20;

    private final String service;
    private final MergeKind mergeKind;

    OracleService(String service, MergeKind mergeKind) {
        this.service = service;
        this.mergeKind = mergeKind;
    }

    /** Service of the n-th query. One query in ten belongs to the service with replay. */
    static OracleService of(int query) {
        return query % 10 == 9 ? ARCHIVE : query % 2 == 0 ? SHOP : LIBRARY;
    }

    static List<Policy> policies() {
        return Arrays.stream(values()).map(OracleService::policy).toList();
    }

    String serviceName() {
        return service;
    }

    abstract Items items(int size, RandomGenerator random);

    /** Random scores that are multiples of 1/64, so that ties are frequent. */
    private static float[] scores(int size, RandomGenerator random) {
        float[] scores = new float[size];
        for (int i = 0; i < size; i++) {
            scores[i] = random.nextInt(640) / 64f;
        }
        return scores;
    }

    Policy policy() {
        return Policy.builder()
                .service(service)
                .version(1)
                .metrics(List.of("tpr@20", "ndcg@10"))
                .merge(new MergePolicy(mergeKind, List.of(), Map.of()))
                .expirationWindowMillis(WINDOW_MILLIS)
                .classes(List.of(
                        ClassPolicy.builder()
                                .name("high")
                                .priority(0)
                                .objective(0.9)
                                .floor(0.01)
                                .build(),
                        ClassPolicy.builder()
                                .name("low")
                                .priority(1)
                                .objective(0.9)
                                .safeFraction(0.5)
                                .floor(0.01)
                                .build()))
                .build();
    }

    /** A query with random faults. {@link MergedQuery} and {@link ReplayedQuery} list the faults with their shares. */
    QueryTrace query(String queryId, long startMillis, RandomGenerator random) {
        return mergeKind == MergeKind.REPLAYED_ANSWERS
                ? ReplayedQuery.draw(this, queryId, startMillis, random)
                : MergedQuery.draw(this, queryId, startMillis, random);
    }

    static String anyClass(RandomGenerator random) {
        return random.nextInt(3) == 0 ? "high" : "low";
    }

    /** A random number of items of an answer; 0 selects the service's default. */
    static int anyTopK(RandomGenerator random) {
        return random.nextInt(4) == 0 ? 10 : 0;
    }

    /** The counts of a front end for both classes in one second. */
    List<Event> observations(int frontEnd, long secondMillis) {
        return Stream.of("high", "low")
                .map(queryClass -> Event.of(ObservationBuilder.builder()
                        .service(service)
                        .tier("front")
                        .server("front-" + frontEnd)
                        .queryClass(queryClass)
                        .secondMillis(secondMillis)
                        .offered(60)
                        .answered(60)
                        .timedOut(40)
                        .bill(MeasurementBill.NOTHING)
                        .admittedFraction(1)
                        .build()))
                .toList();
    }

    /** A complete query that starts and ends at one instant; it advances the watermark. */
    QueryTrace filler(String queryId, long timeMillis, RandomGenerator random) {
        Invocation invocation = new Invocation("part-0", Outcome.IN_TIME, 0);
        return QueryTraceBuilder.builder()
                .policy(policy())
                .query(new QueryIdentity(service, queryId))
                .answer(Optional.of(AnswerBuilder.builder()
                        .service(service)
                        .queryId(queryId)
                        .queryClass("low")
                        .kind(AnswerKind.ONLINE)
                        .startedAtMillis(timeMillis)
                        .answeredAtMillis(timeMillis)
                        .deadlineMillis(DEADLINE_MILLIS)
                        .invocations(List.of(invocation))
                        .items(Items.NONE)
                        .build()))
                .partials(List.of(PartialResultBuilder.builder()
                        .service(service)
                        .queryId(queryId)
                        .component("part-0")
                        .server("")
                        .phase(Phase.ONLINE)
                        .completedAtMillis(timeMillis)
                        .items(items(FILLER_ITEMS, random))
                        .startedAtMillis(timeMillis)
                        .build()))
                .build();
    }
}
