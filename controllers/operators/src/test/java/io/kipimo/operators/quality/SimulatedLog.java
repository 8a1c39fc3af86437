package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.Events;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import io.kipimo.schemas.quality.QueryEvent;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/**
 * A log of a service with little traffic: every partition of answers and results is silent at times, and some results
 * are appended long after the windows of their queries. Some event of each query comes in time. Events are repeated,
 * and brokers' clocks are set back.
 */
final class SimulatedLog {
    static final int PARTITIONS = 4;
    static final long OUT_OF_ORDER_MILLIS = 2_000;
    static final long IDLE_MILLIS = 10_000;

    /** Answers, results, observations. */
    static final int KINDS = 3;

    private static final int OBSERVERS = 2;
    private static final long LENGTH_MILLIS = 180_000;

    /** As many times the queries, in four times the time. */
    private static final int DENSITY = 20;

    /**
     * A record.
     *
     * @param split number of its partition among those of all topics
     * @param event null: an observation
     * @param eventMillis event time
     * @param atMillis when it was appended
     * @param stampMillis what the broker's clock said
     */
    record Entry(int split, QueryEvent event, long eventMillis, long atMillis, long stampMillis) {
        int partition() {
            return split % PARTITIONS;
        }
    }

    private final Random random;
    private final LogPartitions partitions;
    private final boolean byKey;
    private final boolean isLong;
    private final long[] clockBehindMillis = new long[PARTITIONS * KINDS];
    private final List<Entry> entries = new ArrayList<>();

    private SimulatedLog(long seed, LogPartitions partitions, boolean byKey, boolean isLong) {
        this.random = new Random(seed);
        this.partitions = partitions;
        this.byKey = byKey;
        this.isLong = isLong;
    }

    /**
     * The records in the order in which they were appended.
     *
     * @param byKey whether the events of a query are in its partition; otherwise in any
     * @param isLong whether components have a history
     */
    static List<Entry> of(long seed, LogPartitions partitions, boolean byKey, boolean isLong) {
        return new SimulatedLog(seed, partitions, byKey, isLong).write();
    }

    private List<Entry> write() {
        long start = Events.START;
        for (int query = 0; start < Events.START + (isLong ? 4 : 1) * LENGTH_MILLIS; query++) {
            query("q" + query, start);
            start += (500 + random.nextInt(8_000)) / (isLong ? DENSITY : 1);
        }
        // Event time goes on until everything is measured and forgotten.
        for (long at = Events.START; at < start + 90_000; at += 1_000) {
            for (int observer = 0; observer < OBSERVERS; observer++) {
                append(null, 2, observer, at, at + random.nextInt(500));
            }
        }
        entries.sort(Comparator.comparingLong(Entry::atMillis));
        return entries.stream().map(this::stamped).toList();
    }

    /** The clock of a partition's broker is behind by up to a second, and is set back at times. */
    private Entry stamped(Entry entry) {
        if (random.nextInt(50) == 0) {
            clockBehindMillis[entry.split()] = random.nextInt(1_000);
        }
        return new Entry(
                entry.split(),
                entry.event(),
                entry.eventMillis(),
                entry.atMillis(),
                entry.atMillis() - clockBehindMillis[entry.split()]);
    }

    private void query(String id, long start) {
        List<Invocation> invocations = new ArrayList<>();
        boolean tellsStart = random.nextInt(4) > 0;
        boolean hasEventInTime = false;
        for (int c = 0; c < 3; c++) {
            boolean late = random.nextInt(3) == 0;
            invocations.add(new Invocation("c" + c, late ? Outcome.TIMED_OUT : Outcome.IN_TIME, 1_000));
            long completed = start + (late ? 40 + random.nextInt(5_000) : random.nextInt(30));
            QueryEvent result = QueryEvent.of(PartialResultBuilder.builder()
                    .service("shop")
                    .queryId(id)
                    .component("c" + c)
                    .server("")
                    .phase(late ? Phase.MATURE : Phase.ONLINE)
                    .completedAtMillis(completed)
                    .latencyMicros(1000 * (completed - start))
                    .items(Events.items(random.longs(4, 1, 30).distinct().toArray()))
                    .startedAtMillis(tellsStart ? start : 0)
                    .build());
            int fate = random.nextInt(10);
            if (fate < 3 && late) {
                long over = start + Events.WINDOW + OUT_OF_ORDER_MILLIS;
                append(result, 1, completed, over + 3_000 + random.nextInt(40_000));
            } else if (fate < 9) {
                append(result, 1, completed, completed + random.nextInt(800));
                hasEventInTime |= tellsStart || !late;
            }
        }
        if (!hasEventInTime || random.nextInt(12) > 0) {
            Answer answer = AnswerBuilder.builder()
                    .service("shop")
                    .queryId(id)
                    .queryClass("high")
                    .kind(AnswerKind.ONLINE)
                    .startedAtMillis(start)
                    .answeredAtMillis(start + 30)
                    .deadlineMillis(30)
                    .invocations(invocations)
                    .items(Items.NONE)
                    .build();
            append(QueryEvent.of(answer), 0, start + 30, start + 30 + random.nextInt(800));
        }
    }

    private void append(QueryEvent event, int kind, long eventMillis, long atMillis) {
        int partition = byKey ? partitions.partitionOf(event.key()) : random.nextInt(PARTITIONS);
        append(event, kind, partition, eventMillis, atMillis);
        if (random.nextInt(8) == 0) {
            append(event, kind, partition, eventMillis, atMillis + random.nextInt(30_000));
        }
    }

    private void append(QueryEvent event, int kind, int partition, long eventMillis, long at) {
        entries.add(new Entry(kind * PARTITIONS + partition, event, eventMillis, at, 0));
    }
}
