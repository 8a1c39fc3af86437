package io.kipimo.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.kipimo.cli.doctor.Facts.Adapter;
import io.kipimo.cli.doctor.Facts.CopyCount;
import io.kipimo.cli.doctor.Facts.Execution;
import io.kipimo.cli.doctor.Facts.Front;
import io.kipimo.cli.doctor.Facts.Job;
import io.kipimo.cli.run.FlinkRest;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.core.quality.window.ClassEvidence;
import io.kipimo.core.quality.window.DecisionTrail;
import io.kipimo.jobs.options.JoinOptions;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.jobs.submission.Submission;
import io.kipimo.kafka.WriterPlaces;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.observation.ComponentCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.topics.Topic;
import io.kipimo.sdk.internal.http.BoundedExchange;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.internal.kafka.TopicAdmin;
import io.kipimo.sdk.internal.kafka.TopicReader;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.record.TimestampType;

/** Reads facts about a running system from Kafka, Flink and adapters. */
final class RunningSystem {
    private static final long MINUTE = 60_000;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Pattern FIGURE = Pattern.compile(
            "(?m)^kipimo_(?:gateway|haproxy|envoy|filter)_(?<name>decision_age_seconds|disconnected|lost_seconds|replays_total|replays_failed_total|engine_queries_total|engine_queries_sent_total|won_copies_total|lost_copies_total)(?:\\{(?<labels>.*)})?"
                    + " (?<value>\\S+)$");

    private static final String REFUSED = "reason=\"budget\"";

    /** Matches the name of the metric that counts records which a job could not write to Redis. */
    private static final Pattern DROPPED = Pattern.compile(".*\\.kipimo\\.dropped");

    /** Time to wait for new metrics. Flink reads the metrics of its tasks every ten seconds. */
    private static final Duration METRICS_INTERVAL = Duration.ofSeconds(12);

    /**
     * Matches counters of steps and records that a job left out, by the names in {@code Isolation}. Flink puts
     * {@code __Writer.user} between a sink's name and its metrics.
     */
    private static final Pattern LOST = Pattern.compile(
            "(?<operator>.*?)(?:__Writer)?(?:\\.user)?\\.kipimo\\.(?:service\\.(?<service>.*)\\.failedSteps|unwritableRecords)");

    /** Kind of event that stands for late answers. Late partial results have the component's name as their kind. */
    private static final String ANSWERS = "answers";

    private final KafkaSettings kafka;
    private final long nowMillis;
    private final List<String> missing;

    RunningSystem(KafkaSettings kafka, long nowMillis) {
        this.kafka = kafka;
        this.nowMillis = nowMillis;
        this.missing = TopicAdmin.missing(kafka);
    }

    long nowMillis() {
        return nowMillis;
    }

    /** Returns the evidence on each class of each policy. Services are sorted by name, their classes by priority. */
    Map<ServiceClass, ClassEvidence> evidence() {
        Map<ServiceClass, QualityWindow> windows = windows();
        Map<ServiceClass, ErrorBudget> budgets = new TreeMap<>();
        Map<String, Policy> policies = policies();
        read(Topic.ERROR_BUDGETS, 60 * MINUTE, Codecs.ERROR_BUDGET, budget -> {
            if (isFirst(budget.metric(), policies.get(budget.service()))) {
                budgets.merge(
                        budget.serviceClass(), budget, (old, next) -> next.endMillis() >= old.endMillis() ? next : old);
            }
        });
        Map<ServiceClass, Long> lastQueries = new TreeMap<>();
        read(Topic.OBSERVATIONS, MINUTE, Codecs.OBSERVATION, o -> {
            if (o.offered() + o.answered() > 0) {
                lastQueries.merge(o.serviceClass(), o.endMillis(), Math::max);
            }
        });
        Map<String, DecisionTrail> trails = trails();
        Map<ServiceClass, ClassEvidence> evidence = new LinkedHashMap<>();
        for (Policy policy : policies.values()) {
            for (ClassPolicy c : policy.classes()) {
                ServiceClass scope = policy.serviceClass(c);
                evidence.put(
                        scope,
                        new ClassEvidence(
                                Optional.of(policy),
                                Optional.of(c),
                                Optional.ofNullable(windows.get(scope)),
                                Optional.ofNullable(budgets.get(scope)),
                                trails.getOrDefault(Decision.ADMISSION + '/' + scope, DecisionTrail.NONE),
                                lastQueries.getOrDefault(scope, 0L),
                                nowMillis));
            }
        }
        return evidence;
    }

    private static boolean isFirst(String metric, Policy policy) {
        return policy != null && policy.metrics().get(0).equals(metric);
    }

    Facts facts(Optional<URI> flink, List<URI> adapters) throws InterruptedException {
        Map<RejectionReason, Long> deadLetters = new HashMap<>();
        read(
                Topic.DEAD_LETTERS,
                10 * MINUTE,
                Codecs.DEAD_LETTER,
                letter -> deadLetters.merge(letter.reason(), 1L, Long::sum));
        Map<String, Long> sampled = new TreeMap<>();
        read(Topic.ANSWERS, MINUTE, Codecs.ANSWER, a -> sampled.merge(a.service(), 1L, Long::sum));
        Map<String, Long> results = new TreeMap<>();
        read(
                Topic.PARTIALS,
                MINUTE,
                Codecs.PARTIAL_RESULT,
                p -> results.merge(p.service() + '/' + p.component(), 1L, Long::sum));
        Map<String, Map<String, Long>> late = new TreeMap<>();
        read(Topic.LATE_EVENTS, 10 * MINUTE, Codecs.QUERY_EVENT, e -> late.computeIfAbsent(
                        service(e), s -> new TreeMap<>())
                .merge(e.isAnswer() ? ANSWERS : e.partial().component(), 1L, Long::sum));
        Map<String, Long> lateAnswers = new TreeMap<>();
        read(Topic.LATE_EVENTS, MINUTE, Codecs.QUERY_EVENT, e -> {
            if (e.isAnswer()) {
                lateAnswers.merge(service(e), 1L, Long::sum);
            }
        });
        return outside(flink, adapters)
                .nowMillis(nowMillis)
                .brokers(TopicAdmin.brokers(kafka))
                .missingTopics(missing)
                .writersTimes(TopicAdmin.withoutAppendTime(kafka))
                .transactions(TopicAdmin.openTransactions(kafka, nowMillis))
                .policies(policies())
                .fronts(fronts())
                .sampled(sampled)
                .results(results)
                .late(late)
                .lateAnswers(lateAnswers)
                .windows(windows())
                .decisions(trails())
                .deadLetters(deadLetters)
                .places(places())
                .build();
    }

    private Optional<WriterPlaces> places() {
        if (!exists(Topic.ANSWERS) || !exists(Topic.PARTIALS)) {
            return Optional.empty();
        }
        int partitions = TopicAdmin.partitions(kafka, Topic.ANSWERS);
        return partitions == TopicAdmin.partitions(kafka, Topic.PARTIALS)
                ? Optional.of(WriterPlaces.read(kafka, partitions))
                : Optional.empty();
    }

    /** Reads the facts that are known without Kafka. */
    static FactsBuilder outside(Optional<URI> flink, List<URI> adapters) throws InterruptedException {
        List<Adapter> answering = new ArrayList<>();
        for (URI adapter : adapters) {
            answering.add(adapter(adapter));
        }
        return FactsBuilder.builder()
                .jobs(flink.isPresent() ? Optional.of(jobs(flink.get())) : Optional.empty())
                .adapters(answering);
    }

    private static String service(QueryEvent event) {
        return event.isAnswer() ? event.answer().service() : event.partial().service();
    }

    Map<String, Policy> policies() {
        return exists(Topic.POLICIES) ? new TreeMap<>(PolicyStore.readAll(kafka)) : Map.of();
    }

    /** The newest sliding window of each class by its policy's first metric. The key is service/class. */
    Map<ServiceClass, QualityWindow> windows() {
        Map<String, Policy> policies = policies();
        Map<ServiceClass, QualityWindow> newest = new TreeMap<>();
        read(Topic.QUALITY_WINDOWS, 60 * MINUTE, Codecs.QUALITY_WINDOW, window -> {
            if (window.kind() == WindowKind.SLIDING && isFirst(window.metric(), policies.get(window.service()))) {
                newest.merge(
                        window.serviceClass(), window, (old, next) -> next.endMillis() >= old.endMillis() ? next : old);
            }
        });
        return newest;
    }

    /** Newest admission decisions, by controller/scope. */
    private Map<String, DecisionTrail> trails() {
        Map<String, DecisionTrail> trails = new TreeMap<>();
        read(
                Topic.ADMISSION,
                nowMillis,
                Codecs.DECISION,
                d -> trails.compute(
                        d.controller() + '/' + d.scope(),
                        (scope, trail) -> (trail == null ? DecisionTrail.NONE : trail).with(d)));
        return trails;
    }

    private List<Front> fronts() {
        Map<String, Front> fronts = new TreeMap<>();
        if (exists(Topic.OBSERVATIONS)) {
            TopicReader.read(kafka, Topic.OBSERVATIONS, nowMillis - MINUTE, entry -> {
                if (entry.value() != null) {
                    TopicReader.decode(Codecs.OBSERVATION, entry)
                            .map(o -> front(o, entry))
                            .ifPresent(f -> fronts.merge(f.service() + '/' + f.server(), f, RunningSystem::both));
                }
            });
        }
        return List.copyOf(fronts.values());
    }

    private static Front front(Observation o, ConsumerRecord<byte[], byte[]> entry) {
        // A second is written after its end, so one that ends later than its append is ahead.
        boolean isAppendTime = entry.timestampType() == TimestampType.LOG_APPEND_TIME;
        return new Front(
                o.service(),
                o.server(),
                o.answered(),
                isAppendTime ? o.endMillis() - entry.timestamp() : Front.UNKNOWN,
                o.offered() + o.answered() > 0 ? List.of(o.queryClass()) : List.of(),
                o.components().stream().map(ComponentCount::component).toList(),
                o.safeFraction().map(safe -> Map.of(o.queryClass(), safe)).orElse(Map.of()));
    }

    private static Front both(Front a, Front b) {
        return new Front(
                a.service(),
                a.server(),
                a.answered() + b.answered(),
                Math.max(a.aheadMillis(), b.aheadMillis()),
                both(a.classes(), b.classes()),
                both(a.components(), b.components()),
                both(a.safeFractions(), b.safeFractions()));
    }

    private static Map<String, Double> both(Map<String, Double> older, Map<String, Double> newer) {
        Map<String, Double> all = new TreeMap<>(older);
        all.putAll(newer);
        return all;
    }

    private static List<String> both(List<String> a, List<String> b) {
        TreeSet<String> all = new TreeSet<>(a);
        all.addAll(b);
        return List.copyOf(all);
    }

    private static List<Job> jobs(URI flink) throws InterruptedException {
        Map<String, Job> newest = new TreeMap<>();
        try {
            FlinkRest rest = FlinkRest.at(flink);
            Map<String, String> dropping = new TreeMap<>();
            for (JsonNode job : rest.jobs()) {
                String name = job.path("name").asText();
                String state = job.path("state").asText();
                String id = job.path("jid").asText();
                Optional<KipimoJob> kind = kind(rest, id, name);
                String shown = rest.parameters(id).path(JoinOptions.SHOWN_PATH).asText();
                Job found = state.equals("RUNNING")
                        ? new Job(
                                name,
                                state,
                                kind,
                                lost(rest, id),
                                path(shown),
                                shown,
                                Optional.of(execution(rest, id)),
                                dropped(rest, id),
                                0)
                        : new Job(name, state, kind, Map.of(), Optional.empty(), "", Optional.empty());
                // Former attempts of a job that runs again do not matter.
                if ((kind.isPresent() || name.startsWith("kipimo-"))
                        && (!newest.containsKey(found.name()) || found.state().equals("RUNNING"))) {
                    newest.put(found.name(), found);
                    if (found.dropped() > 0) {
                        dropping.put(found.name(), id);
                    }
                }
            }
            if (!dropping.isEmpty()) {
                Thread.sleep(METRICS_INTERVAL.toMillis());
            }
            for (Map.Entry<String, String> job : dropping.entrySet()) {
                Job before = newest.get(job.getKey());
                newest.put(job.getKey(), before.withDroppedNow(dropped(rest, job.getValue()) - before.dropped()));
            }
        } catch (InputException e) {
            return List.of(new Job(Job.CLUSTER, e.getMessage()));
        }
        return List.copyOf(newest.values());
    }

    /** The Kipimo job that a Flink job says it is. Jobs of older versions do not say so; their default name tells. */
    private static Optional<KipimoJob> kind(FlinkRest rest, String job, String name) throws InterruptedException {
        String said = rest.parameters(job).path(Submission.SHOWN_JOB).asText();
        return said.isEmpty() ? KipimoJob.ofFlink(name) : KipimoJob.named(said);
    }

    private static Execution execution(FlinkRest rest, String job) throws InterruptedException {
        int parallelism = 0;
        int maxParallelism = 0;
        for (JsonNode vertex : rest.vertices(job)) {
            parallelism = Math.max(parallelism, vertex.path("parallelism").asInt());
            maxParallelism =
                    Math.max(maxParallelism, vertex.path("maxParallelism").asInt());
        }
        return new Execution(
                parallelism, maxParallelism, rest.checkpointIntervalMillis(job), rest.metric(job, "numRestarts"));
    }

    /** How events come to the job's join; empty also if the job has no join. */
    private static Optional<JoinPath> path(String shown) {
        return Stream.of(JoinPath.LOCAL, JoinPath.KEYED)
                .filter(path -> shown.startsWith(path.name()))
                .findFirst();
    }

    /**
     * Counts the steps and records that a job left out. Empty also if Flink has no metrics of the job yet, as in its
     * first seconds.
     */
    private static Map<String, Long> lost(FlinkRest rest, String job) throws InterruptedException {
        Map<String, Long> metrics;
        try {
            metrics = rest.sums(job, LOST);
        } catch (InputException e) {
            return Map.of();
        }
        Map<String, Long> lost = new TreeMap<>();
        metrics.forEach((metric, count) -> {
            Matcher name = LOST.matcher(metric);
            if (count > 0 && name.matches()) {
                String service = name.group("service");
                lost.merge(
                        service == null
                                ? "records in " + name.group("operator")
                                : "steps of service " + service + " in " + name.group("operator"),
                        count,
                        Long::sum);
            }
        });
        return lost;
    }

    /** Counts the records for Redis that a job dropped. 0 also if Flink has no metrics of the job yet. */
    private static long dropped(FlinkRest rest, String job) throws InterruptedException {
        try {
            return rest.sums(job, DROPPED).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        } catch (InputException e) {
            return 0;
        }
    }

    private static Adapter adapter(URI url) throws InterruptedException {
        try {
            HttpResponse<String> page = BoundedExchange.ofPages(PATIENCE)
                    .send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString());
            if (page.statusCode() != 200 || !page.body().contains("kipimo_")) {
                return Adapter.silent(
                        url.toString(), "answers " + page.statusCode() + " without metrics of an adapter");
            }
            return adapter(url.toString(), page.body());
        } catch (IOException | NumberFormatException e) {
            return Adapter.silent(url.toString(), "does not answer");
        }
    }

    /**
     * Reads an adapter's figures from its metrics.
     *
     * @param page metrics in Prometheus' text format
     * @throws NumberFormatException if a value is not a number
     */
    static Adapter adapter(String url, String page) {
        double oldest = Double.NaN;
        boolean disconnected = false;
        double lost = 0;
        long replays = 0;
        long refused = 0;
        long counted = 0;
        long sent = 0;
        Map<String, Long> won = new TreeMap<>();
        Map<String, Long> lostCopies = new TreeMap<>();
        Matcher figures = FIGURE.matcher(page);
        while (figures.find()) {
            double value = Double.parseDouble(figures.group("value"));
            switch (figures.group("name")) {
                case "disconnected" -> disconnected |= value == 1;
                case "lost_seconds" -> lost = Math.max(lost, value);
                case "engine_queries_total" -> counted += (long) value;
                case "engine_queries_sent_total" -> sent += (long) value;
                case "won_copies_total" -> won.put(figures.group("labels"), (long) value);
                case "lost_copies_total" -> lostCopies.put(figures.group("labels"), (long) value);
                case "replays_total" -> replays += (long) value;
                case "replays_failed_total" ->
                    refused += figures.group("labels") != null
                                    && figures.group("labels").contains(REFUSED)
                            ? (long) value
                            : 0;
                default -> oldest = Double.isNaN(oldest) ? value : Math.max(oldest, value);
            }
        }
        List<CopyCount> copies = lostCopies.entrySet().stream()
                .map(count -> new CopyCount(count.getKey(), won.getOrDefault(count.getKey(), 0L), count.getValue()))
                .toList();
        return new Adapter(url, "", disconnected, oldest, lost, replays, refused, counted, sent, copies);
    }

    private boolean exists(Topic topic) {
        return !missing.contains(kafka.name(topic));
    }

    private <T> void read(Topic topic, long backMillis, Codec<T> codec, Consumer<T> taker) {
        if (exists(topic)) {
            TopicReader.read(kafka, topic, nowMillis - backMillis, codec, taker);
        }
    }
}
