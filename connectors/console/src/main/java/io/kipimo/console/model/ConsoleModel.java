package io.kipimo.console.model;

import io.kipimo.console.model.Places.Claim;
import io.kipimo.core.quality.window.TraceLink;
import io.kipimo.core.quality.window.Verdict;
import io.kipimo.core.quality.window.WorstQuery;
import io.kipimo.schemas.budget.ErrorBudget;
import io.kipimo.schemas.caching.CacheTruth;
import io.kipimo.schemas.caching.CachingWindow;
import io.kipimo.schemas.completeness.CompletenessModel;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadline.DeadlineCurve;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutPublicationBuilder;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.schemas.rating.Rating;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.tails.ReplicaTruth;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowKind;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The state behind the page. It accepts records in any order and more than once, and depends only on records and on
 * times given as arguments. There is one writer and there are many readers; each public method holds the model's lock.
 */
public final class ConsoleModel {
    /** Greatest age of the latencies that percentiles use, in milliseconds. */
    public static final long LATENCY_MILLIS = 300_000;

    private static final int MAXIMUM_SERVICES = 1_000;
    private static final int MAXIMUM_NAMED_SERVICES = 200;
    private static final int MAXIMUM_COMPONENTS = 4_096;
    private static final long FUTURE_MILLIS = 60_000;

    private final Places<ServiceState> services =
            new Places<>(MAXIMUM_SERVICES, MAXIMUM_NAMED_SERVICES, ServiceState::new);
    private final Health health = new Health();
    private final Optional<TraceLink> traceLink;
    private long version;

    public ConsoleModel() {
        this(Optional.empty());
    }

    /**
     * Makes an empty model.
     *
     * @param traceLink where traces of queries are shown
     */
    public ConsoleModel(Optional<TraceLink> traceLink) {
        this.traceLink = traceLink;
    }

    /** A number that increases with every change of the model. */
    public synchronized long version() {
        return version;
    }

    /** Records that the broker answers. If it did not answer before, the connection starts at {@code nowMillis}. */
    public synchronized void connected(long nowMillis) {
        version += health.connected ? 0 : 1;
        health.connected(true, nowMillis);
    }

    /** Records that the broker does not answer. If it answered before, the outage starts at {@code nowMillis}. */
    public synchronized void away(long nowMillis) {
        version += health.connected ? 1 : 0;
        health.connected(false, nowMillis);
    }

    /** Records the quality job's text about the path by which events reach its join; empty: not known. */
    public synchronized void joinPath(String said) {
        version += health.joinPath.equals(said) ? 0 : 1;
        health.joinPath = said;
    }

    /** Records that everything written before the given time has been read. */
    public synchronized void readUntil(long millis) {
        version += health.readUntilMillis == 0 ? 1 : 0;
        health.readUntilMillis = Math.max(health.readUntilMillis, millis);
    }

    /** Records that a record with the given time stamp was read. */
    public synchronized void read(long recordMillis, long nowMillis) {
        version++;
        health.lastRecordMillis = Math.max(health.lastRecordMillis, Math.min(recordMillis, nowMillis));
    }

    /** Counts a record that could not be used. */
    public synchronized void unreadable() {
        health.unreadable++;
    }

    public synchronized void policy(Policy policy) {
        service(policy.service(), Claim.POLICY).ifPresent(s -> s.setPolicy(policy));
    }

    /** Removes the policy of a service. */
    public synchronized void policyRemoved(String service) {
        services.find(service).ifPresent(s -> s.setPolicy(null));
        services.disclaim(service);
    }

    /** Adds a window of quality; skips it unless it is a sliding window. */
    public synchronized void window(QualityWindow window, long nowMillis) {
        if (window.kind() != WindowKind.SLIDING || window.endMillis() > nowMillis + FUTURE_MILLIS) {
            return;
        }
        queryClass(window.service(), window.queryClass(), Claim.MEASURED).ifPresent(c -> c.add(window));
    }

    /** Adds a decision: an admitted fraction (scope service/class) or a sampling rate (scope service). */
    public synchronized void decision(Decision decision) {
        int slash = decision.scope().indexOf('/');
        if (slash < 0) {
            service(decision.scope(), Claim.MEASURED).ifPresent(s -> s.sampling.add(decision));
        } else {
            queryClass(decision.scope().substring(0, slash), decision.scope().substring(slash + 1), Claim.MEASURED)
                    .ifPresent(c -> c.decisions.add(decision));
        }
    }

    public synchronized void observation(Observation o, long nowMillis) {
        if (o.offered() + o.answered() == 0 || o.endMillis() > nowMillis + FUTURE_MILLIS) {
            return;
        }
        queryClass(o.service(), o.queryClass(), Claim.NAMED)
                .ifPresent(c -> c.lastQueriesMillis = Math.max(c.lastQueriesMillis, o.endMillis()));
    }

    /**
     * Adds the latencies of a measurement's components, and keeps the query if it is one of the worst. For a result
     * that never arrived, the time waited counts as the latency.
     */
    public synchronized void measurement(Measurement m, long nowMillis) {
        if (m.queryClass().isEmpty() || m.measuredAtMillis() > nowMillis + FUTURE_MILLIS) {
            return;
        }
        queryClass(m.service(), m.queryClass(), Claim.MEASURED).ifPresent(c -> {
            WorstQuery.of(m, Optional.ofNullable(c.primaryMetric)).ifPresent(c.worst::add);
            for (ComponentShare share : m.components()) {
                if (share.outcome() != Outcome.FAILED && share.outcome() != Outcome.NOT_ASKED) {
                    add(c, share, m);
                }
            }
        });
    }

    private void add(ClassState c, ComponentShare share, Measurement m) {
        if (!c.latencies.containsKey(share.component()) && components() >= MAXIMUM_COMPONENTS) {
            forgetOneOfMost();
        }
        RecentLatencies latencies = c.latencies.computeIfAbsent(share.component(), name -> new RecentLatencies());
        latencies.add(
                share.missing() ? m.measuredAtMillis() - m.startedAtMillis() : share.latencyMicros() / 1000.0,
                m.measuredAtMillis());
    }

    private int components() {
        return allClasses().mapToInt(c -> c.latencies.size()).sum();
    }

    /**
     * Removes one component's latencies from the class that has latencies of most components. So a class with invented
     * component names does not displace other classes.
     */
    private void forgetOneOfMost() {
        allClasses()
                .max(Comparator.comparingInt(c -> c.latencies.size()))
                .ifPresent(
                        c -> c.latencies.remove(c.latencies.keySet().iterator().next()));
    }

    private Stream<ClassState> allClasses() {
        return services.all().stream().flatMap(s -> s.classes().stream());
    }

    public synchronized void deadLetter(DeadLetter letter) {
        health.add(letter);
    }

    public synchronized void curve(DeadlineCurve curve) {
        queryClass(curve.service(), curve.queryClass(), Claim.MEASURED)
                .filter(c -> c.curve == null || curve.endMillis() >= c.curve.endMillis())
                .filter(c -> c.isShownBy(curve.metric()))
                .ifPresent(c -> c.curve = curve);
    }

    public synchronized void budget(ErrorBudget budget) {
        queryClass(budget.service(), budget.queryClass(), Claim.MEASURED)
                .filter(c -> c.budget == null || budget.endMillis() >= c.budget.endMillis())
                .filter(c -> c.isShownBy(budget.metric()))
                .ifPresent(c -> {
                    if (c.budget == null || c.budget.verdict() != budget.verdict()) {
                        c.verdictSinceMillis = budget.endMillis();
                    }
                    c.budget = budget;
                });
    }

    /** Adds a window of latencies; skips it unless it is a tumbling window. */
    public synchronized void tails(TailWindow window, long nowMillis) {
        if (window.kind() == TailWindowKind.TUMBLING && window.endMillis() <= nowMillis + FUTURE_MILLIS) {
            service(window.service(), Claim.NAMED).ifPresent(s -> s.tails.add(window));
        }
    }

    public synchronized void replicaTruth(ReplicaTruth truth, long nowMillis) {
        if (truth.endMillis() <= nowMillis + FUTURE_MILLIS) {
            service(truth.service(), Claim.NAMED).ifPresent(s -> s.tails.add(truth));
        }
    }

    public synchronized void replication(ReplicationDecision decision) {
        service(decision.service(), Claim.MEASURED).ifPresent(s -> s.replication.add(decision));
    }

    public synchronized void caching(CachingWindow window, long nowMillis) {
        if (window.endMillis() <= nowMillis + FUTURE_MILLIS) {
            service(window.service(), Claim.NAMED).ifPresent(s -> s.caching.add(window));
        }
    }

    public synchronized void cacheTruth(CacheTruth truth, long nowMillis) {
        if (truth.endMillis() <= nowMillis + FUTURE_MILLIS) {
            service(truth.service(), Claim.NAMED).ifPresent(s -> s.caching.add(truth));
        }
    }

    /** Adds a rating; skips it unless it names a service. */
    public synchronized void rating(Rating rating) {
        if (!rating.request().service().isEmpty()) {
            service(rating.request().service(), Claim.NAMED).ifPresent(s -> s.ratings.add(rating));
        }
    }

    public synchronized void completeness(CompletenessModel model) {
        queryClass(model.service(), model.queryClass(), Claim.MEASURED)
                .filter(c -> c.isShownBy(model.metric()))
                .ifPresent(c -> c.completeness = model);
    }

    /** Keeps the newest publication of a class, without the model, which is large. */
    public synchronized void fanOut(FanOutPublication publication) {
        queryClass(publication.service(), publication.queryClass(), Claim.MEASURED)
                .filter(c -> c.publication == null || c.publication.version() <= publication.version())
                .ifPresent(c -> c.publication = FanOutPublicationBuilder.builder(publication)
                        .model(Optional.empty())
                        .build());
    }

    private Optional<ClassState> queryClass(String service, String queryClass, Claim claim) {
        return service(service, claim).flatMap(s -> s.queryClass(queryClass, claim));
    }

    private Optional<ServiceState> service(String name, Claim claim) {
        return services.claim(name, claim);
    }

    /** All data of all services, as UTF-8 JSON. */
    public synchronized byte[] state(boolean writable, long nowMillis) {
        return StateJson.document(this, true, writable, nowMillis, traceLink);
    }

    /** The data of the first screen, as UTF-8 JSON. */
    public synchronized byte[] summary(boolean writable, long nowMillis) {
        return StateJson.document(this, false, writable, nowMillis, traceLink);
    }

    /** All data of one service, as UTF-8 JSON; empty if it is not shown. */
    public synchronized Optional<byte[]> service(String name, long nowMillis) {
        return services.find(name)
                .filter(ConsoleModel::isShown)
                .map(s -> StateJson.service(this, s, nowMillis, traceLink));
    }

    /**
     * The worst measured queries of the last hour, as UTF-8 JSON. They are grouped by class, the worst query first.
     *
     * @param service name; empty: all services
     * @param queryClass name; empty: all classes
     * @param limit most queries of a class
     */
    public synchronized byte[] queries(Optional<String> service, Optional<String> queryClass, int limit) {
        return StateJson.queries(
                shown().stream()
                        .filter(s -> service.isEmpty() || service.get().equals(s.name))
                        .flatMap(s -> s.shown().stream())
                        .filter(c -> queryClass.isEmpty() || queryClass.get().equals(c.name))
                        .flatMap(c -> c.worst.since(0).stream().limit(limit))
                        .toList(),
                traceLink);
    }

    /** Metrics of the console itself, in Prometheus' text format. */
    public synchronized String metrics(long nowMillis) {
        Map<Verdict, Integer> classes = new EnumMap<>(Verdict.class);
        int inVain = 0;
        for (ServiceState s : shown()) {
            for (ClassState c : s.shown()) {
                inVain += Diagnosis.isInVain(c) ? 1 : 0;
                classes.merge(diagnosis(s, c, nowMillis).verdict(), 1, Integer::sum);
            }
        }
        StringBuilder text = new StringBuilder();
        for (Verdict verdict : Verdict.values()) {
            text.append("kipimo_console_classes{status=\"")
                    .append(DisplayText.status(verdict))
                    .append("\"} ")
                    .append(classes.getOrDefault(verdict, 0))
                    .append('\n');
        }
        return text.append("kipimo_console_shedding_in_vain ")
                .append(inVain)
                .append("\nkipimo_console_broker_connected ")
                .append(health.connected ? 1 : 0)
                .append("\nkipimo_console_unreadable_records_total ")
                .append(health.unreadable)
                .append("\nkipimo_console_dead_letters_total ")
                .append(health.deadLetters)
                .append("\nkipimo_console_services_passed_over_total ")
                .append(services.passedOver())
                .append('\n')
                .toString();
    }

    /** The diagnosis of a class; empty if it is not shown. */
    synchronized Optional<Diagnosis> diagnosis(String service, String queryClass, long nowMillis) {
        return services.find(service).flatMap(s -> s.shown().stream()
                .filter(c -> c.name.equals(queryClass))
                .findFirst()
                .map(c -> diagnosis(s, c, nowMillis)));
    }

    Diagnosis diagnosis(ServiceState service, ClassState c, long nowMillis) {
        return Diagnosis.of(service, c, health.readUntilMillis, nowMillis);
    }

    Health health() {
        return health;
    }

    /** The services that the page shows, in order of names. */
    Collection<ServiceState> shown() {
        return services.all().stream().filter(ConsoleModel::isShown).toList();
    }

    private static boolean isShown(ServiceState service) {
        return service.policy().isPresent() || !service.shown().isEmpty() || !service.caching.isEmpty();
    }
}
