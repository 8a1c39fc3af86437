package io.kipimo.bench.workload;

import io.kipimo.bench.peer.PeerQuery;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;

/** Creates the events of single queries. A query number always gives the same events. */
public final class QueryEvents {
    private static final int LEAST_LATENCY_MICROS = 5_000;
    private static final int MOST_LATE_MICROS = 1_500_000;

    private static final HexFormat HEX = HexFormat.of();

    private final EventWorkload workload;

    public QueryEvents(EventWorkload workload) {
        this.workload = workload;
    }

    /**
     * One query.
     *
     * @param events events to send, in order of event time, none before the query's start
     */
    public record SentQuery(PeerQuery truth, List<SentEvent> events) {}

    /**
     * A W3C trace id that encodes the query's number and differs by seed. It is random enough for sampling by query id.
     */
    public static String queryId(long seed, int query) {
        SplittableRandom random = random(seed, query);
        return HEX.toHexDigits(random.nextLong() | 1) + HEX.toHexDigits(random.nextInt()) + HEX.toHexDigits(query);
    }

    /** Id of the last query of a partition. */
    public static String runOutId(int partition) {
        return "run-out-" + partition;
    }

    /** The number that {@link #queryId} encodes. */
    public static int queryOf(String queryId) {
        return Integer.parseInt(queryId.substring(24), 16);
    }

    /** Creates query number {@code query}. Its start follows from its number and the workload's rate. */
    public SentQuery query(int query) {
        SplittableRandom random = random(workload.seed(), query);
        return query(
                query, queryId(workload.seed(), query), query * 1_000_000L / workload.queriesPerSecond(), -1, random);
    }

    private static SplittableRandom random(long seed, int query) {
        return new SplittableRandom(seed * 1_000_003 + query);
    }

    /** A clean query for one partition of both topics, after all others. It ends their windows. */
    public SentQuery runOut(int partition) {
        long micros =
                workload.queries() * 1_000_000L / workload.queriesPerSecond() + EventWorkload.RUN_OUT_MILLIS * 1000;
        return new QueryEvents(workload.withShares(0, 0, 0))
                .query(-1 - partition, runOutId(partition), micros, partition, new SplittableRandom(workload.seed()));
    }

    private SentQuery query(int query, String id, long startMicros, int partition, SplittableRandom random) {
        long deadlineMicros = EventWorkload.DEADLINE_MILLIS * 1000L;
        List<Invocation> invocations = new ArrayList<>(workload.components());
        List<PartialResult> partials = new ArrayList<>(workload.components());
        List<SentEvent> events = new ArrayList<>(workload.components() + 1);
        long answeredMicros = 0;
        for (int i = 0; i < workload.components(); i++) {
            String component = "part-" + i;
            boolean isLate = random.nextDouble() < workload.lateShare();
            long latencyMicros = isLate
                    ? random.nextLong(deadlineMicros + 1_000, MOST_LATE_MICROS)
                    : random.nextLong(LEAST_LATENCY_MICROS, deadlineMicros);
            answeredMicros = Math.max(answeredMicros, Math.min(deadlineMicros, latencyMicros));
            invocations.add(new Invocation(
                    component, isLate ? Outcome.TIMED_OUT : Outcome.IN_TIME, Math.min(deadlineMicros, latencyMicros)));
            boolean isLost = random.nextDouble() < (isLate ? workload.matureLoss() : workload.onlineLoss());
            if (isLost) {
                continue;
            }
            PartialResult partial = PartialResultBuilder.builder()
                    .service(EventWorkload.SERVICE)
                    .queryId(id)
                    .component(component)
                    .server("")
                    .phase(isLate ? Phase.MATURE : Phase.ONLINE)
                    .completedAtMillis(epochMillis(startMicros + latencyMicros))
                    .latencyMicros(latencyMicros)
                    .items(items(random))
                    .build();
            partials.add(partial);
            events.add(new SentEvent(query, startMicros + latencyMicros, partition, QueryEvent.of(partial)));
        }
        Answer answer = AnswerBuilder.builder()
                .service(EventWorkload.SERVICE)
                .queryId(id)
                .queryClass(EventWorkload.QUERY_CLASS)
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(epochMillis(startMicros))
                .answeredAtMillis(epochMillis(startMicros + answeredMicros))
                .deadlineMillis(EventWorkload.DEADLINE_MILLIS)
                .invocations(invocations)
                .items(Items.NONE)
                .build();
        events.add(new SentEvent(query, startMicros + answeredMicros, partition, QueryEvent.of(answer)));
        events.sort((a, b) -> Long.compare(a.micros(), b.micros()));
        return new SentQuery(new PeerQuery(answer, partials), events);
    }

    private Items items(SplittableRandom random) {
        long[] ids = new long[workload.items()];
        float[] scores = new float[workload.items()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = random.nextLong();
            scores[i] = -(float) random.nextDouble();
        }
        // Best first, as components send them.
        Arrays.sort(scores);
        for (int i = 0; i < scores.length; i++) {
            scores[i] = -scores[i];
        }
        return Items.ofNumbers(ids, scores);
    }

    private long epochMillis(long micros) {
        return workload.startMillis() + micros / 1000;
    }
}
