package io.kipimo.bench.replication;

import io.kipimo.bench.report.Table;
import io.kipimo.examples.tiers.Interference;
import io.kipimo.examples.tiers.ServerTime;
import io.kipimo.examples.tiers.TieredService;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.policy.TrialPolicy;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.TrialEvidence;
import io.kipimo.sdk.ClassDefaults;
import io.kipimo.sdk.Kipimo;
import io.kipimo.sdk.KipimoConfig;
import io.kipimo.sdk.internal.kafka.PolicyStore;
import io.kipimo.sdk.kafka.KafkaSettings;
import io.kipimo.simulator.report.Phrase;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.HdrHistogram.ConcurrentHistogram;

/** A service whose factors are searched, and an identical service without copies. */
final class Pair implements AutoCloseable {
    static final double PER_SECOND = 60;
    static final double MEAN_MILLIS = 10;
    static final Interference.Pattern PATTERN = Interference.Pattern.PUBLISHED.faster(8);

    private static final long MOST_MICROS = 60_000_000;
    private static final long WINDOW_MILLIS = 1_000;

    /** Which tiers have neighbours. */
    enum Suffering {
        FIRST,
        LAST,
        BOTH
    }

    private final KafkaSettings kafka;
    private final Suffering who;
    private final String name;
    private final AtomicBoolean measuring = new AtomicBoolean();
    private final ConcurrentHistogram with = new ConcurrentHistogram(MOST_MICROS, 3);
    private final ConcurrentHistogram without = new ConcurrentHistogram(MOST_MICROS, 3);
    private final Map<String, Integer> factors = new TreeMap<>();
    private Kipimo follower;
    private TieredService live;
    private TieredService plain;
    private final List<String> trials = new ArrayList<>();
    private String newest = "nothing";
    private boolean settled;
    private long judgedSequence;
    private long copiesInFirst;
    private long copiesInLast;
    private long looks;

    private Pair(KafkaSettings kafka, Suffering who) {
        this.kafka = kafka;
        this.who = who;
        this.name = who.name().toLowerCase(Locale.ROOT);
    }

    /**
     * Publishes the policy of the service.
     *
     * @param trialMillis least length of a trial
     */
    static Pair announce(KafkaSettings kafka, Suffering who, long trialMillis) {
        Pair pair = new Pair(kafka, who);
        PolicyStore.publish(kafka, pair.policy(trialMillis));
        return pair;
    }

    void start() throws IOException, InterruptedException {
        follower = Kipimo.connect(KipimoConfig.builder(name, name + "-follower", kafka)
                .queryClass("all", ClassDefaults.ALL)
                .build());
        long start = System.currentTimeMillis();
        live = service(name, start, with);
        // A service without a policy gets no decisions.
        plain = service(name + "-plain", start, without);
    }

    private TieredService service(String service, long start, ConcurrentHistogram latencies)
            throws IOException, InterruptedException {
        return new TieredService(
                service,
                kafka,
                time(who != Suffering.LAST, start, 100),
                time(who != Suffering.FIRST, start, 200),
                PER_SECOND,
                micros -> {
                    if (measuring.get()) {
                        latencies.recordValue(Math.min(MOST_MICROS, micros));
                    }
                });
    }

    private static ServerTime time(boolean suffers, long startMillis, long seed) {
        Interference.Pattern nobody = new Interference.Pattern(1e12, 1, 1);
        return new Interference(TieredService.SERVERS, MEAN_MILLIS, suffers ? PATTERN : nobody, startMillis, seed);
    }

    void measure(boolean on) {
        measuring.set(on);
    }

    /** Samples the factors in force. */
    void sample() {
        Optional<ReplicationDecision> decision = follower.replication().inForce();
        if (decision.isPresent()) {
            ReplicationDecision d = decision.get();
            newest = factors() + ' ' + d.reason();
            settled = d.reason().equals("RESTING");
            boolean judged = d.evidence().isPresent() && !d.reason().equals("TRIAL_RUNNING");
            if (judged && d.sequence() != judgedSequence) {
                judgedSequence = d.sequence();
                trials.add(inWords(d.reason(), d.evidence().get()));
            }
        }
        if (measuring.get()) {
            factors.merge(factors(), 1, Integer::sum);
            copiesInFirst += live.copiesInFirst();
            copiesInLast += live.copiesInLast();
            looks++;
        }
    }

    private static String inWords(String reason, TrialEvidence e) {
        return Phrase.of(
                "%s to %s: p99 %.0f ms, then %.0f (by %.0f..%.0f, predicted %.0f), %s",
                e.from(),
                e.to(),
                e.baselineMicros() / 1e3,
                e.trialMicros() / 1e3,
                e.lowMicros() / 1e3,
                e.highMicros() / 1e3,
                e.predictedMicros().orElse(Double.NaN) / 1e3,
                reason);
    }

    /** The trials and their results. */
    String trials() {
        return name + ": " + (trials.isEmpty() ? "no trial" : String.join("; ", trials)) + ".";
    }

    private String factors() {
        return follower.replication().factor(TieredService.FIRST)
                + ","
                + follower.replication().factor(TieredService.LAST);
    }

    /** Whether the search has ended. */
    boolean isSettled() {
        return settled;
    }

    void row(Table table) {
        double p99 = without.getValueAtPercentile(99) / 1e3;
        table.row()
                .cell("who suffers", name)
                .cell("p99 without", p99)
                .cell("p99 with", with.getValueAtPercentile(99) / 1e3)
                .cell("better by", p99 * 1e3 / with.getValueAtPercentile(99))
                .cell("p50 without", without.getValueAtPercentile(50) / 1e3)
                .cell("p50 with", with.getValueAtPercentile(50) / 1e3)
                .cell(
                        "factors",
                        factors.entrySet().stream()
                                .sorted(Map.Entry.<String, Integer>comparingByValue()
                                        .reversed())
                                .map(f -> Phrase.of("%s (%.0f %%)", f.getKey(), 100.0 * f.getValue() / looks))
                                .collect(Collectors.joining(" ")))
                .cell(
                        "copies web, store",
                        Phrase.of("%.1f, %.1f", (double) copiesInFirst / looks, (double) copiesInLast / looks))
                .cell("search", settled ? "ended" : newest)
                .cell("requests", with.getTotalCount());
    }

    @Override
    public String toString() {
        return name + ": " + newest;
    }

    private Policy policy(long trialMillis) {
        TrialPolicy d = TrialPolicy.DEFAULT;
        return Policy.builder()
                .service(name)
                .version(1)
                .metrics(List.of("tpr@20"))
                .expirationWindowMillis(2_000)
                .windowMillis(1_000)
                .slideMillis(1_000)
                .classes(List.of(ClassPolicy.builder()
                        .name("all")
                        .priority(0)
                        .objective(0.9)
                        .floor(1)
                        .build()))
                .replication(Optional.of(ReplicationPolicy.builder()
                        .shadow(false)
                        .tiers(List.of(
                                new ReplicatedTier(TieredService.FIRST, 0, 0, 0),
                                new ReplicatedTier(TieredService.LAST, 0, 0, 0)))
                        .extraLoadShare(0.5)
                        .trials(TrialPolicy.builder()
                                .settlingMillis(2_000)
                                .minimumMillis(trialMillis)
                                .maximumMillis(3 * trialMillis)
                                .batchMillis(2 * WINDOW_MILLIS)
                                .minimumRequests(d.minimumRequests())
                                .minimumBatches(d.minimumBatches())
                                .confidence(d.confidence())
                                .lastConfidence(d.lastConfidence())
                                .baselineError(0.2)
                                .minimumGain(d.minimumGain())
                                .build())
                        .loadChange(0.5)
                        .variabilityChange(1)
                        .smoothingMillis(60_000)
                        .periodMillis(1_000)
                        .leaseMillis(10_000)
                        .build()))
                .build();
    }

    @Override
    public void close() {
        for (TieredService service : new TieredService[] {live, plain}) {
            if (service != null) {
                service.close();
            }
        }
        if (follower != null) {
            follower.close();
        }
    }
}
