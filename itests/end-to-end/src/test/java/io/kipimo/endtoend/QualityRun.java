package io.kipimo.endtoend;

import static io.kipimo.testing.Patience.PATIENCE;

import io.kipimo.core.Effort;
import io.kipimo.embedded.flink.FlinkCluster;
import io.kipimo.embedded.flink.MetricsPage;
import io.kipimo.embedded.flink.StandaloneCluster;
import io.kipimo.embedded.kafka.TopicLog;
import io.kipimo.harness.oracle.LogRecord;
import io.kipimo.harness.oracle.QualityTraffic;
import io.kipimo.harness.oracle.QueryIdentity;
import io.kipimo.harness.oracle.RowAudit;
import io.kipimo.harness.oracle.TrafficSettings;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.common.config.ConfigResource;

/**
 * The quality job, from its jar if the cluster is of other JVMs, on one traffic: its input, its output, and the
 * differences from the oracle's.
 */
final class QualityRun implements AutoCloseable {
    private static final int PARTITIONS = 4;
    private static final int PARALLELISM = Effort.of(2, PARTITIONS);

    /** By default so long that a pause of the test does not make a partition idle. */
    private static final String IDLENESS = System.getProperty("faults.idleness", "1 h");

    /** Idleness for tests that end in silence. */
    private static final String NOTICED = "5 s";

    private static final int SHOWN = 5;

    private static final String[] COUNTS = Stream.of(
                    "joinedEvents", "unnamedResults", "lateEvents", "duplicateEvents", "rejectedEvents")
            .map(name -> MetricsPage.OPERATORS + "kipimo_" + name)
            .toArray(String[]::new);

    private final FlinkCluster cluster;
    private final KafkaSettings kafka;
    private final TrafficSettings settings;
    private final QualityTraffic traffic;
    private final TopicLog<Measurement> quality;
    private final TopicLog<QueryEvent> late;
    private final TopicLog<DeadLetter> deadLetters;
    private final JoinPath path;
    private String group;
    private int partitions = PARTITIONS;
    private long unreadable;
    private JobID job;

    /** Queries whose rows were read. */
    private final Set<QueryIdentity> measured = new HashSet<>();

    private final RowAudit audit = new RowAudit();

    /** The job's own counts at the last look. */
    private MetricsPage metrics = new MetricsPage("");

    /** Wrong rows, with the differences. */
    private final List<String> wrongRows = new ArrayList<>();

    private int looked;
    private long newestRowMillis = Long.MIN_VALUE;
    private long faults;
    private long faultEndedNanos;
    private double longestRecoverySeconds;

    /** An action that breaks a part. */
    interface Fault {
        void happen() throws Exception;
    }

    /**
     * Number of deviations in the output.
     *
     * @param queries number of queries sent
     * @param rows number of rows that came out
     * @param lost queries without a row, and late events and dead letters that are missing in their topics
     * @param extra unexpected late events and dead letters
     * @param miscounted number of events by which the job's own counts differ from the oracle's
     * @param unaccounted answers and partial results, less those that were joined, late, duplicate or rejected
     */
    record Verdict(
            long queries,
            long rows,
            RowAudit.Findings findings,
            long lost,
            long extra,
            long miscounted,
            long unaccounted) {
        boolean isRight() {
            return findings.isRight() && lost == 0 && extra == 0 && miscounted == 0 && unaccounted == 0;
        }

        /** Queries with two different rows. */
        long doubled() {
            return findings.changed();
        }

        /** Rows, late events and dead letters that differ from the oracle's. */
        long differing() {
            return findings.differing() + extra;
        }

        /** One line for each count. */
        String report() {
            return String.format(Locale.ROOT, """
                            queries: %d, rows: %d
                            lost (queries without a row, late events, dead letters): %d
                            late events and dead letters that should not be: %d
                            events whose fate is counted wrongly: %d
                            in - (joined + late + duplicate + rejected): %d
                            """, queries, rows, lost, extra, miscounted, unaccounted)
                    + findings.report();
        }
    }

    /** Creates the topics, publishes the policies, and starts the job. */
    static QualityRun start(FlinkCluster cluster, KafkaSettings kafka, int copies, TrafficSettings settings)
            throws Exception {
        return start(cluster, kafka, copies, settings, JoinPath.KEYED);
    }

    /** The same, by a path; with LOCAL each record is in the partition of its key, otherwise in any. */
    static QualityRun start(
            FlinkCluster cluster, KafkaSettings kafka, int copies, TrafficSettings settings, JoinPath path)
            throws Exception {
        TopicAdmin.createMissing(kafka, PARTITIONS, (short) copies);
        QualityRun run = new QualityRun(cluster, kafka, settings, path);
        run.submit(PARALLELISM, Optional.empty());
        return run;
    }

    private QualityRun(FlinkCluster cluster, KafkaSettings kafka, TrafficSettings settings, JoinPath path) {
        this.cluster = cluster;
        this.path = path;
        this.kafka = kafka;
        this.settings = settings;
        group = kafka.topicPrefix() + "test";
        traffic = QualityTraffic.generate(settings);
        traffic.policies().forEach(policy -> PolicyStore.publish(kafka, policy));
        quality = new TopicLog<>(kafka, Topic.QUALITY, Codecs.MEASUREMENT);
        late = new TopicLog<>(kafka, Topic.LATE_EVENTS, Codecs.QUERY_EVENT);
        deadLetters = new TopicLog<>(kafka, Topic.DEAD_LETTERS, Codecs.DEAD_LETTER);
    }

    JobID job() {
        return job;
    }

    KafkaSettings kafka() {
        return kafka;
    }

    List<LogRecord> records() {
        return traffic.records();
    }

    void submit(int parallelism, Optional<String> savepoint) throws Exception {
        Map<String, String> options = new HashMap<>(Map.of(
                "join.path",
                path.name(),
                "kafka.bootstrap-servers",
                kafka.bootstrapServers(),
                "kafka.topic-prefix",
                kafka.topicPrefix(),
                "source.group-id",
                group,
                "source.out-of-orderness",
                settings.outOfOrdernessMillis() + " ms",
                "source.idleness",
                settings.endsInSilence() ? NOTICED : IDLENESS,
                "join.back-stop",
                NOTICED,
                "execution.checkpointing.interval",
                "1 s"));
        if (!(cluster instanceof StandaloneCluster)) {
            savepoint.ifPresent(path -> options.put(StateRecoveryOptions.SAVEPOINT_PATH.key(), path));
            job = QualityJobs.start(cluster, kafka, parallelism, options);
            return;
        }
        List<String> more = new ArrayList<>(List.of("--parallelism=" + parallelism));
        savepoint.ifPresent(path -> more.add("--savepoint=" + path));
        job = CommandLineRun.submit(cluster, KipimoJob.QUALITY, options, more.toArray(String[]::new))
                .jobId();
    }

    /** Stops the job with a savepoint and restarts it from there. */
    void rescale(int parallelism, Path savepoints) throws Exception {
        String savepoint = cluster.stopWithSavepoint(job, savepoints);
        submit(parallelism, Optional.of(savepoint));
    }

    /**
     * Starts a second job with a group of its own, from a savepoint of the first, which goes on. From now on the run is
     * of the second job.
     *
     * @return the first
     */
    JobID startBeside(String newGroup) throws Exception {
        JobID first = job;
        group = newGroup;
        submit(PARALLELISM, Optional.of(cluster.savepoint(first)));
        return first;
    }

    /** Consumer group of the job, without the job's name. */
    String group() {
        return group;
    }

    /** Sends at full speed; all records are in the log when this returns. */
    void send(List<LogRecord> records) throws Exception {
        try (PacedLoad load = load(records, Double.POSITIVE_INFINITY)) {
            // Closing waits for the end of the load.
        }
    }

    /**
     * Events of queries go where producers put them. All other records stay where they are, as do the last queries,
     * since they advance the watermarks of all partitions: without records, a partition would hold them back, as it is
     * never idle here.
     */
    private LogRecord byKey(LogRecord record) {
        boolean isQueryEvent = record.topic() == Topic.ANSWERS || record.topic() == Topic.PARTIALS;
        boolean isLast = record.key() != null
                && new String(record.key(), StandardCharsets.UTF_8).startsWith(QualityTraffic.RUN_OUT);
        return isQueryEvent && !isLast ? record.byKey(settings.partitions()) : record;
    }

    /** Sends records at a steady rate, from now on. */
    PacedLoad load(List<LogRecord> records, double perSecond) {
        List<LogRecord> placed = path == JoinPath.KEYED
                ? records
                : records.stream().map(this::byKey).toList();
        return PacedLoad.start(kafka, placed, partitions, perSecond);
    }

    /** Sends an undecodable record of this size. */
    void sendUnreadable(int bytes) throws Exception {
        String topic = kafka.name(Topic.PARTIALS);
        try (Admin admin = Admin.create(kafka.forAdmin())) {
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, topic),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("max.message.bytes", Integer.toString(64 << 20)),
                                    AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }
        byte[] value = new byte[bytes];
        // No field has this wire type.
        Arrays.fill(value, (byte) 7);
        send(List.of(new LogRecord(Topic.PARTIALS, 0, settings.startMillis(), new byte[] {1}, value)));
        unreadable++;
    }

    /** Doubles the partitions of all topics that services write. */
    void growPartitions() throws Exception {
        partitions *= 2;
        Map<String, NewPartitions> wanted = new HashMap<>();
        for (Topic topic : List.of(Topic.ANSWERS, Topic.PARTIALS, Topic.OBSERVATIONS)) {
            wanted.put(kafka.name(topic), NewPartitions.increaseTo(partitions));
        }
        try (Admin admin = Admin.create(kafka.forAdmin())) {
            admin.createPartitions(wanted).all().get();
        }
    }

    /** Number of records that are repeated, late or unusable. */
    long badRecords() {
        return traffic.counts().all() - traffic.counts().joined();
    }

    void awaitCheckpoint() {
        long before = orElse(() -> cluster.completedCheckpoints(job), 0);
        await(() -> cluster.completedCheckpoints(job) > before);
    }

    /** Injects a fault. Recovery time counts from when this returns. */
    void inject(Fault fault) throws Exception {
        fault.happen();
        faultEndedNanos = System.nanoTime();
        faults++;
    }

    /**
     * Waits for rows of queries that were sent after the job detected the fault.
     *
     * @param isNoticed whether the job has detected the fault, so that its output is not just the remainder from before
     *     it
     */
    void awaitRecovery(PacedLoad load, BooleanSupplier isNoticed) {
        boolean noticed = await(isNoticed);
        long sentMillis = load.newestMillis();
        boolean recovered = await(() -> {
            readRows();
            return newestRowMillis > sentMillis || hasAllRows();
        });
        double seconds = (System.nanoTime() - faultEndedNanos) / 1e9;
        longestRecoverySeconds =
                Math.max(longestRecoverySeconds, noticed && recovered ? seconds : Double.POSITIVE_INFINITY);
    }

    /** Counts the faults that are part of the traffic. */
    void countAsFaults(long more) {
        faults += more;
    }

    long faults() {
        return faults;
    }

    /** Time from the end of a fault until rows of later queries came, seconds. */
    double longestRecoverySeconds() {
        return longestRecoverySeconds;
    }

    void awaitRows() {
        boolean unused = await(() -> {
            readRows();
            return hasAllRows();
        });
    }

    /** Called when everything is sent: waits for the output, and compares it with the oracle's. */
    Verdict finish() throws Exception {
        awaitRows();
        send(traffic.stragglers());
        boolean unused = await(() -> verdict().isRight());
        Verdict verdict = verdict();
        if (!verdict.isRight()) {
            explain();
        }
        System.out.printf("oracle: %s%n%s", kafka.topicPrefix(), verdict.report());
        return verdict;
    }

    private void readRows() {
        quality.readSome();
        List<Measurement> rows = quality.read();
        for (; looked < rows.size(); looked++) {
            Measurement row = rows.get(looked);
            measured.add(QueryIdentity.of(row));
            newestRowMillis = Math.max(newestRowMillis, row.measuredAtMillis());
            List<String> wrong =
                    audit.add(row, Optional.ofNullable(traffic.rows().get(QueryIdentity.of(row))));
            if (!wrong.isEmpty()) {
                wrongRows.add(wrong + " in " + row);
            }
        }
    }

    private boolean hasAllRows() {
        return measured.size() >= traffic.rows().size();
    }

    private Verdict verdict() {
        var unused = quality.readOn();
        readRows();
        metrics = cluster.metricPages(COUNTS);
        Set<QueryIdentity> unmeasured = new HashSet<>(traffic.rows().keySet());
        unmeasured.removeAll(measured);
        long lateEvents = traffic.counts().late() - lateInTopic();
        long lost = unmeasured.size() + Math.max(0, lateEvents);
        long extra = Math.max(0, -lateEvents);
        Map<RejectionReason, Long> letters = lettersInTopic();
        for (RejectionReason reason : RejectionReason.values()) {
            long missing = traffic.counts().rejected().getOrDefault(reason, 0L)
                    + (reason == RejectionReason.UNREADABLE ? unreadable : 0)
                    - letters.getOrDefault(reason, 0L);
            lost += Math.max(0, missing);
            extra += Math.max(0, -missing);
        }
        return new Verdict(
                settings.queries(), looked, audit.findings(), lost, extra, miscounted(), unaccounted(letters));
    }

    private long unaccounted(Map<RejectionReason, Long> letters) {
        return traffic.counts().all()
                + unreadable
                - count("joinedEvents")
                - count("lateEvents")
                - count("duplicateEvents")
                - letters.values().stream().mapToLong(Long::longValue).sum();
    }

    /** A late event may be written twice, but each one has its own position in the log. */
    private long lateInTopic() {
        return lateByPlace().size();
    }

    private Map<List<Object>, QueryEvent> lateByPlace() {
        Map<List<Object>, QueryEvent> places = new LinkedHashMap<>();
        late.readOn().forEach(e -> places.put(List.of(e.isAnswer(), e.partition(), e.offset()), e));
        return places;
    }

    private Map<RejectionReason, Long> lettersInTopic() {
        Map<List<Object>, RejectionReason> places = new HashMap<>();
        for (DeadLetter letter : deadLetters.readOn()) {
            places.put(List.of(letter.topic(), letter.partition(), letter.offset()), letter.reason());
        }
        Map<RejectionReason, Long> counts = new HashMap<>();
        places.values().forEach(reason -> counts.merge(reason, 1L, Long::sum));
        return counts;
    }

    private long miscounted() {
        return Math.abs(traffic.counts().joined() - count("joinedEvents"))
                + Math.abs(traffic.counts().unnamed() - count("unnamedResults"))
                + Math.abs(traffic.counts().late() - count("lateEvents"))
                + Math.abs(traffic.counts().duplicate() - count("duplicateEvents"))
                + Math.abs(traffic.counts().rejected().getOrDefault(RejectionReason.UNKNOWN_SERVICE, 0L)
                        - count("rejectedEvents"));
    }

    private long count(String name) {
        return (long) metrics.ofOperators("kipimo_" + name, job);
    }

    private void explain() {
        System.err.printf(
                "%s: expected %s; joined %d, late %d, duplicate %d, rejected %d; in topics: late %d, letters %s%n",
                kafka.topicPrefix(),
                traffic.counts(),
                count("joinedEvents"),
                count("lateEvents"),
                count("duplicateEvents"),
                count("rejectedEvents"),
                lateInTopic(),
                lettersInTopic());
        wrongRows.stream().limit(SHOWN).forEach(System.err::println);
        lateByPlace().values().stream()
                .collect(Collectors.groupingBy(QueryIdentity::of))
                .forEach((query, events) -> {
                    long expected = traffic.lateEvents().getOrDefault(query, 0L);
                    if (events.size() > expected) {
                        System.err.printf("%d of these are late: %s%n", expected, events);
                    }
                });
        traffic.rows().keySet().stream()
                .filter(query -> !measured.contains(query))
                .limit(SHOWN)
                .forEach(query -> System.err.println("no row of " + query));
    }

    /** Whether the condition became true in time. Tries again if the cluster does not answer. */
    private static boolean await(BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < end) {
            if (orElse(() -> condition.getAsBoolean() ? 1 : 0, 0) == 1) {
                return true;
            }
            try {
                TimeUnit.MILLISECONDS.sleep(200);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return false;
    }

    private interface Question {
        long ask();
    }

    private static long orElse(Question question, long otherwise) {
        try {
            return question.ask();
        } catch (RuntimeException e) {
            return otherwise;
        }
    }

    @Override
    public void close() {
        try {
            cluster.cancel(job);
        } finally {
            quality.close();
            late.close();
            deadLetters.close();
        }
    }
}
