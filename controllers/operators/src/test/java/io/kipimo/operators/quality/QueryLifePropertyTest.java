package io.kipimo.operators.quality;

import static io.kipimo.core.quality.join.Events.START;
import static io.kipimo.core.quality.join.Events.WINDOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.Events;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.AnswerBuilder;
import io.kipimo.schemas.quality.AnswerKind;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Invocation;
import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import io.kipimo.schemas.quality.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.assertj.core.data.Offset;

/**
 * Queries whose components are asked at any time, report any latency and whose events arrive with any delay, some of
 * them never, some twice, some while the job is killed and restored: the rows of a query never contradict each other,
 * and every event has one fate.
 */
class QueryLifePropertyTest {
    private static final int QUERIES = 60;
    private static final long OUT_OF_ORDER_MILLIS = 1_000;

    /** An event and when it reaches the job, epoch milliseconds. */
    private record Arrival(LoggedEvent event, long atMillis) {}

    @Property(tries = 150)
    void rowsOfAQueryNeverContradictEachOther(@ForAll long seed) throws Exception {
        Random random = new Random(seed);
        List<Arrival> arrivals = arrivals(random);
        Run run = new Run();
        int kills = random.nextInt(3);
        run.deliver(arrivals, 0, arrivals.size(), random, kills);
        run.end();

        assertThat(run.fates()).as("in = joined + late + duplicate").isEqualTo(arrivals.size());
        run.rows.forEach((query, rows) -> assertThat(rows).as(query).containsOnly(rows.get(0)));
        run.rows.values().forEach(rows -> assertConsistent(rows.get(0)));
    }

    private static void assertConsistent(Measurement row) {
        if (row.completeness().hasQuality()) {
            double lost = row.components().stream()
                    .mapToDouble(ComponentShare::lostQuality)
                    .sum();
            // Without a result that was in the answer, the answer may have been perfect.
            boolean isUnseen = row.components().stream().anyMatch(c -> c.missing() && c.outcome() == Outcome.IN_TIME);
            assertThat(lost).isCloseTo(isUnseen ? 0 : 1 - row.scores().get(0).high(), Offset.offset(1e-9));
        }
        if (row.completeness() == Completeness.EXPIRED) {
            assertThat(row.scores().get(0).low()).as("without history").isZero();
        }
    }

    private static List<Arrival> arrivals(Random random) {
        List<Arrival> arrivals = new ArrayList<>();
        for (int q = 0; q < QUERIES; q++) {
            query("q" + q, START + random.nextInt(60_000), random, arrivals);
        }
        arrivals.sort(Comparator.comparingLong(Arrival::atMillis));
        return arrivals;
    }

    private static void query(String id, long start, Random random, List<Arrival> out) {
        long answered = start + random.nextInt((int) WINDOW);
        boolean tellsStart = random.nextBoolean();
        List<Invocation> invocations = new ArrayList<>();
        for (int c = random.nextInt(5); c > 0; c--) {
            boolean late = random.nextInt(3) == 0;
            // A late component may have been asked long after its query began, and ended.
            long completed = late
                    ? answered + 1 + (long) (Math.pow(random.nextDouble(), 3) * 90_000)
                    : start + random.nextInt((int) (answered - start) + 1);
            if (random.nextInt(12) > 0) {
                invocations.add(new Invocation("c" + c, late ? Outcome.TIMED_OUT : Outcome.IN_TIME, 1_000));
            }
            PartialResult partial = PartialResultBuilder.builder()
                    .service("shop")
                    .queryId(id)
                    .component("c" + c)
                    .server("")
                    .phase(late ? Phase.MATURE : Phase.ONLINE)
                    .completedAtMillis(completed)
                    .latencyMicros(1000L * random.nextInt(20_000))
                    .items(Events.items(random.longs(4, 1, 30).distinct().toArray()))
                    .startedAtMillis(tellsStart || random.nextInt(4) == 0 ? start : 0)
                    .build();
            arrive(Events.event(partial), completed, random, out);
        }
        Answer answer = AnswerBuilder.builder()
                .service("shop")
                .queryId(id)
                .queryClass("high")
                .kind(AnswerKind.ONLINE)
                .startedAtMillis(start)
                .answeredAtMillis(answered)
                .deadlineMillis(30)
                .invocations(invocations)
                .items(Items.NONE)
                .build();
        arrive(Events.event(answer), answered, random, out);
    }

    private static void arrive(LoggedEvent event, long millis, Random random, List<Arrival> out) {
        int times = random.nextInt(8) == 0 ? 0 : random.nextInt(8) == 0 ? 2 : 1;
        for (int i = 0; i < times; i++) {
            long most = random.nextInt(4) == 0 ? 90_000 : 800;
            out.add(new Arrival(event, millis + random.nextInt((int) most)));
        }
    }

    /** The join over one log, with kills. */
    private static final class Run {
        final Map<String, List<Measurement>> rows = new HashMap<>();
        private JoinHarness harness;
        private int taken;

        Run() throws Exception {
            start(null);
        }

        private void start(OperatorSubtaskState state) throws Exception {
            harness = JoinHarness.alone(Map.of("shop", Events.policy()), Duration.ofMinutes(1));
            if (state != null) {
                harness.initializeState(state);
            }
            harness.open();
            taken = 0;
        }

        /** Event time begins anew after a kill, and what came after the snapshot comes again. */
        void deliver(List<Arrival> log, int from, int until, Random random, int kills) throws Exception {
            if (kills == 0) {
                deliver(log, from, until);
                return;
            }
            int snapshotAt = from + random.nextInt(until - from + 1);
            int killedAt = snapshotAt + random.nextInt(until - snapshotAt + 1);
            deliver(log, from, snapshotAt);
            OperatorSubtaskState snapshot = harness.snapshot(1, 1);
            deliver(log, snapshotAt, killedAt);
            harness.close();
            start(snapshot);
            deliver(log, snapshotAt, until, random, kills - 1);
        }

        private void deliver(List<Arrival> log, int from, int until) throws Exception {
            long newest = Long.MIN_VALUE;
            for (Arrival arrival : log.subList(from, until)) {
                long millis = arrival.event().eventTimeMillis();
                harness.processElement(arrival.event(), millis);
                newest = Math.max(newest, millis);
                harness.processWatermark(newest - OUT_OF_ORDER_MILLIS);
            }
            takeRows();
        }

        private void takeRows() {
            List<Measurement> all = harness.extractOutputValues();
            for (Measurement row : all.subList(taken, all.size())) {
                rows.computeIfAbsent(row.queryId(), q -> new ArrayList<>()).add(row);
            }
            taken = all.size();
        }

        void end() throws Exception {
            harness.processWatermark(START + 3_600_000);
            takeRows();
            assertThat(harness.isIdle()).isTrue();
        }

        long fates() throws Exception {
            long fates = harness.fates();
            harness.close();
            return fates;
        }
    }
}
