package io.kipimo.harness.oracle;

import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.PartialResultBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A log and the output that the quality job must produce from it. The log has queries of two classes and three
 * services, with all faults that {@link MergedQuery} and {@link ReplayedQuery} list, a tenth of repeated events,
 * disorder, and a hundredth of unusable records. The events of one query are spread over all partitions. Observations
 * are sent as well. At the end the watermark passes all events, unless the traffic ends in silence.
 *
 * @param policies to be published before any record is sent
 * @param records in sending order, which also holds within each partition
 * @param stragglers events to be sent when all rows have come out: first and repeated events of queries that were
 *     measured and forgotten long ago; each is late
 * @param rows all expected rows, one for each query that is known to have begun
 * @param counts expected outcomes of the answers and partial results among {@code records} and {@code stragglers}
 *     together
 * @param lateEvents the late ones among them by query
 */
public record QualityTraffic(
        List<Policy> policies,
        List<LogRecord> records,
        List<LogRecord> stragglers,
        Map<QueryIdentity, ExpectedRow> rows,
        ExpectedCounts counts,
        Map<QueryIdentity, Long> lateEvents) {
    /** Beginning of the ids of the last queries, one in each partition. */
    public static final String RUN_OUT = "run-out-";

    public static QualityTraffic generate(TrafficSettings settings) {
        return new Generator(settings).generate();
    }

    private static final class Generator {
        private static final OracleService[] SERVICES = OracleService.values();

        private static final long MINUTES_MILLIS = 5 * 60_000;
        private static final long YEAR_MILLIS = 365L * 24 * 3600 * 1000;

        private final TrafficSettings settings;
        private final RandomGenerator random;
        private final List<Sending> sendings = new ArrayList<>();
        private final List<LogRecord> stragglers = new ArrayList<>();
        private final Map<QueryIdentity, ExpectedRow> rows = new HashMap<>();
        private final Map<QueryIdentity, Long> late = new HashMap<>();
        private final Map<RejectionReason, Long> rejected = new EnumMap<>(RejectionReason.class);
        private long joined;
        private long unnamed;
        private long duplicate;

        Generator(TrafficSettings settings) {
            this.settings = settings;
            this.random = new SplittableRandom(settings.seed());
        }

        private record Sending(long atMillis, LogRecord record) {}

        QualityTraffic generate() {
            Optional<QueryTrace> hot = Optional.empty();
            for (int i = 0; i < settings.queries(); i++) {
                QueryTrace trace = OracleService.of(i).query(queryId(i), startMillis(i), random);
                add(trace);
                if (i >= settings.queries() / 2 && !trace.joined().isEmpty()) {
                    hot = hot.or(() -> Optional.of(trace));
                }
                // Earlier, the watermark may not have passed their event times yet.
                if (settings.skewed() && i > settings.queries() / 2 && random.nextInt(50) == 0) {
                    addSkewed(trace);
                }
            }
            if (settings.hot()) {
                addHot(hot.orElseThrow());
            }
            addPoison(settings.queries() / 15);
            long end = lastSending() + allOverMillis();
            addObservations(settings.endsInSilence() ? startMillis(settings.queries() - 1) : end);
            sendings.sort(Comparator.comparingLong(Sending::atMillis));
            List<LogRecord> records =
                    new ArrayList<>(sendings.stream().map(Sending::record).toList());
            if (!settings.endsInSilence()) {
                records.addAll(runOut(end));
            }
            return new QualityTraffic(
                    OracleService.policies(),
                    records,
                    stragglers,
                    rows,
                    new ExpectedCounts(
                            joined,
                            unnamed,
                            late.values().stream().mapToLong(Long::longValue).sum(),
                            duplicate,
                            rejected),
                    late);
        }

        /** Trace ids; some are shared by two services. */
        private static String queryId(int query) {
            int number = query % 100 == 1 ? query - 1 : query;
            return String.format("4bf92f3577b34da6%016x", number * 0x9e3779b97f4a7c15L);
        }

        private long startMillis(int query) {
            return settings.startMillis() + query * settings.stepMillis();
        }

        /**
         * Events in the silent period are not sent, not even late ones: the silence alone must end the last windows.
         */
        private boolean isInSilence(Event event) {
            return settings.endsInSilence() && event.timeMillis() > startMillis(settings.queries());
        }

        private void add(QueryTrace trace) {
            unnamed += trace.unnamed();
            for (Event event : trace.joined()) {
                joined++;
                duplicate += send(event);
            }
            for (Event event : trace.heldInVain()) {
                late(trace, 1);
                duplicate += send(event);
            }
            for (Event event : trace.late()) {
                late(trace, isInSilence(event) ? 0 : 1 + send(event));
            }
            for (Event event : trace.lateWithoutStart()) {
                if (!isInSilence(event)) {
                    late(trace, 1);
                    // A repeated event would be late or a duplicate, depending on the read order.
                    sendOnce(event);
                }
            }
            trace.stragglers().forEach(event -> straggle(trace, event));
            if (random.nextInt(100) == 0) {
                trace.joined().forEach(event -> straggle(trace, event));
            }
            trace.row().ifPresent(row -> rows.put(trace.query(), row));
        }

        /** Repeats the events of one query until they are half of all events. */
        private void addHot(QueryTrace trace) {
            List<Event> events = trace.joined();
            for (int left = sendings.size(); left > 0; left--) {
                Event event = events.get(left % events.size());
                sendings.add(new Sending(
                        event.timeMillis() + random.nextLong(settings.disorderMillis()),
                        event.inPartition(anyPartition())));
                duplicate++;
            }
        }

        /** Results of a server with a wrong clock, in addition to the right ones. */
        private void addSkewed(QueryTrace trace) {
            for (PartialResult partial : trace.partials()) {
                long behind = random.nextBoolean() ? MINUTES_MILLIS : YEAR_MILLIS;
                Event skewed = Event.of(stamped(partial, partial.completedAtMillis() - behind));
                sendings.add(
                        new Sending(partial.completedAtMillis() + delayMillis(), skewed.inPartition(anyPartition())));
                late(trace, 1);
            }
        }

        private static PartialResult stamped(PartialResult p, long completedAtMillis) {
            return PartialResultBuilder.builder(p)
                    .completedAtMillis(completedAtMillis)
                    .startedAtMillis(0)
                    .build();
        }

        /** After the last event of a query, the job measures and forgets it. */
        private long allOverMillis() {
            return OracleService.WINDOW_MILLIS + TrafficSettings.MEMORY_MILLIS + settings.outOfOrdernessMillis();
        }

        private void straggle(QueryTrace trace, Event event) {
            late(trace, 1);
            stragglers.add(event.inPartition(anyPartition()));
        }

        private void late(QueryTrace trace, long events) {
            late.merge(trace.query(), events, Long::sum);
        }

        /** Sends an event, one in ten of them twice; returns the number of copies beyond the first. */
        private int send(Event event) {
            int copies = random.nextInt(10) == 0 ? 1 : 0;
            for (int i = 0; i <= copies; i++) {
                sendOnce(event);
            }
            return copies;
        }

        private void sendOnce(Event event) {
            sendings.add(new Sending(event.timeMillis() + delayMillis(), event.inPartition(anyPartition())));
        }

        private long delayMillis() {
            return random.nextInt(10) == 0 ? random.nextLong(settings.disorderMillis()) : random.nextLong(200);
        }

        private int anyPartition() {
            return random.nextInt(settings.partitions());
        }

        private void addPoison(int atLeast) {
            for (int added = 0, round = 0; added < atLeast; round++) {
                long now = settings.startMillis() + random.nextLong(settings.queries() * settings.stepMillis());
                List<PoisonRecords.Poison> all = PoisonRecords.all("poison-" + round, now, random);
                for (PoisonRecords.Poison poison : all) {
                    sendings.add(new Sending(now + delayMillis(), poison.event().inPartition(anyPartition())));
                    rejected.merge(poison.reason(), 1L, Long::sum);
                }
                added += all.size();
            }
        }

        private long lastSending() {
            return sendings.stream().mapToLong(Sending::atMillis).max().orElseThrow();
        }

        /** Every front end sends one observation a second and class; observations carry event time, too. */
        private void addObservations(long endMillis) {
            for (long second = settings.startMillis(); second <= endMillis; second += 1000) {
                for (int frontEnd = 0; frontEnd < settings.partitions(); frontEnd++) {
                    for (OracleService service : SERVICES) {
                        for (Event event : service.observations(frontEnd, second)) {
                            sendings.add(new Sending(event.timeMillis(), event.inPartition(frontEnd)));
                        }
                    }
                }
            }
        }

        /** One answer and one partial result in every partition, after all other records. */
        private List<LogRecord> runOut(long time) {
            List<LogRecord> records = new ArrayList<>();
            for (int partition = 0; partition < settings.partitions(); partition++) {
                QueryTrace filler = SERVICES[0].filler(RUN_OUT + partition, time, random);
                for (Event event : filler.joined()) {
                    joined++;
                    records.add(event.inPartition(partition));
                }
                rows.put(filler.query(), filler.row().orElseThrow());
            }
            return records;
        }
    }
}
