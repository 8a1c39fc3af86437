package io.kipimo.gateway.profile;

import io.kipimo.gateway.Gateway;
import io.kipimo.gateway.config.GatewayConfig;
import io.kipimo.gateway.config.ListenerConfig;
import io.kipimo.gateway.config.Role;
import io.kipimo.schemas.quality.Answer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Runs a gateway on the same queries with each setting of sampling and recording, and counts mature executions per 100
 * queries (Ubora, sec. 6.5). First it tries the sampling rates with every component memoized. Then, at the best rate,
 * it leaves out one component after the other while that increases the count.
 */
public final class Profiler {

    /**
     * Settings of the profiler.
     *
     * @param targets path and query of real queries, such as {@code /search?q=water}; at least one
     * @param perSecond rate of the queries, Poisson; above 0
     * @param trialMillis length of each trial, at least 100
     * @param samplingRates rates to try, each above 0, at most 1
     * @param mostSlowdown greatest relative slowdown of unsampled queries, such as 0.07
     */
    public record Trial(
            List<String> targets, double perSecond, long trialMillis, List<Double> samplingRates, double mostSlowdown) {
        /** @throws IllegalArgumentException if a setting is not allowed; the message lists all problems */
        public Trial {
            targets = List.copyOf(targets);
            samplingRates = List.copyOf(samplingRates);
            List<String> problems = new ArrayList<>();
            if (targets.isEmpty()) {
                problems.add("queries are none; allowed: at least one");
            }
            for (String target : targets) {
                if (!target.startsWith("/")) {
                    problems.add("query is '" + target + "'; allowed: a path, /search?q=water");
                }
            }
            if (!(perSecond > 0 && perSecond <= 1e6)) {
                problems.add("queries a second are " + perSecond + "; allowed: above 0, to 1000000");
            }
            if (trialMillis < 100) {
                problems.add("a trial takes " + trialMillis + " ms; allowed: at least 100");
            }
            if (samplingRates.isEmpty()) {
                problems.add("sampling rates are none; allowed: at least one");
            }
            for (double rate : samplingRates) {
                if (!(rate > 0 && rate <= 1)) {
                    problems.add("sampling rate is " + rate + "; allowed: above 0, to 1");
                }
            }
            if (!(mostSlowdown >= 0 && mostSlowdown <= 10)) {
                problems.add("most slow-down is " + mostSlowdown + "; allowed: 0..10");
            }
            if (!problems.isEmpty()) {
                throw new IllegalArgumentException(String.join("\n", problems));
            }
        }
    }

    private static final int POLL_MILLIS = 50;

    private final GatewayConfig config;
    private final ListenerConfig front;
    private final Set<String> components;
    private final Trial settings;
    private final Consumer<ProfileTrial> told;
    private final List<ProfileTrial> trials = new ArrayList<>();

    /**
     * Determines arrival times and query ids. A trial and its baseline share the seed; other trials have another one,
     * because Redis may still hold earlier responses.
     */
    private long seed;

    /**
     * @param told called after each trial
     * @throws IllegalArgumentException unless the configuration has exactly one front, at least one component, and
     *     replays
     */
    public Profiler(GatewayConfig config, Trial settings, Consumer<ProfileTrial> told) {
        this.config = config;
        this.settings = settings;
        this.told = told;
        List<ListenerConfig> fronts =
                config.listeners().stream().filter(l -> l.role() == Role.FRONT).toList();
        components = config.listeners().stream()
                .filter(l -> l.role() == Role.COMPONENT)
                .map(ListenerConfig::name)
                .collect(Collectors.toSet());
        if (fronts.size() != 1 || components.isEmpty() || !config.record().replay()) {
            throw new IllegalArgumentException(
                    ("listeners have %s of role front and %s of role component, record.replay is %s; "
                                    + "allowed: one, at least one, true")
                            .formatted(
                                    fronts.size(),
                                    components.size(),
                                    config.record().replay()));
        }
        front = fronts.get(0);
    }

    /**
     * Runs all trials in order. Each takes twice its length, as its baseline runs before it, and the time of pending
     * replays.
     *
     * @throws IOException if the gateway's ports cannot be bound
     */
    public List<ProfileTrial> run() throws IOException, InterruptedException {
        // The first trial is the warm-up, and is not counted.
        try (PoissonTraffic traffic = new PoissonTraffic()) {
            trial(traffic, components, settings.samplingRates().get(0), false);
            for (double rate : settings.samplingRates()) {
                trial(traffic, components, rate, true);
            }
            double rate = best(trials).samplingRate();
            trial(traffic, Set.of(), rate, true);
            leaveOut(traffic, rate);
        }
        return List.copyOf(trials);
    }

    /**
     * Stops keeping the responses of one component in each round. It selects the component without which the most
     * queries have mature executions. Ends when a round does not increase their number, or one component is left.
     */
    private void leaveOut(PoissonTraffic traffic, double rate) throws IOException, InterruptedException {
        ProfileTrial best =
                best(trials.stream().filter(t -> t.samplingRate() == rate).toList());
        while (best.memoized().size() > 1) {
            List<ProfileTrial> round = new ArrayList<>();
            for (String component : best.memoized()) {
                Set<String> fewer = new HashSet<>(best.memoized());
                fewer.remove(component);
                round.add(trial(traffic, fewer, rate, true));
            }
            ProfileTrial next = best(round);
            if (next.maturePer100() <= best.maturePer100()) {
                return;
            }
            best = next;
        }
    }

    private static ProfileTrial best(List<ProfileTrial> among) {
        return among.stream()
                .max(Comparator.comparingDouble(ProfileTrial::maturePer100))
                .orElseThrow();
    }

    private ProfileTrial trial(PoissonTraffic traffic, Set<String> memoized, double rate, boolean counts)
            throws IOException, InterruptedException {
        ProfileTrial trial = trial(traffic, memoized, rate, answer -> {});
        if (counts) {
            trials.add(trial);
            told.accept(trial);
        }
        return trial;
    }

    /**
     * Runs a single trial.
     *
     * @param memoized components whose responses are kept
     * @param answers receives the answers of sampled queries that would be emitted, online and replayed
     * @throws IOException if the gateway's ports cannot be bound
     */
    public ProfileTrial once(Set<String> memoized, double rate, Consumer<Answer> answers)
            throws IOException, InterruptedException {
        try (PoissonTraffic traffic = new PoissonTraffic()) {
            return trial(traffic, memoized, rate, answers);
        }
    }

    private ProfileTrial trial(PoissonTraffic traffic, Set<String> memoized, double rate, Consumer<Answer> answers)
            throws IOException, InterruptedException {
        seed++;
        // The baseline runs just before the trial, because the machine's other load changes.
        PoissonTraffic.TrafficResults baseline = send(traffic, memoized, new ProfilingControl(0, answers));
        ProfilingControl control = new ProfilingControl(rate, answers);
        PoissonTraffic.TrafficResults found = send(traffic, memoized, control);
        return ProfileTrialBuilder.builder()
                .memoized(memoized)
                .samplingRate(rate)
                .queries(found.sampled.count() + found.unsampled.count())
                .sampled(found.sampled.count())
                .whole(control.whole())
                .replayed(control.replayed())
                .unsampledMillis(found.unsampled.meanMillis())
                .sampledMillis(found.sampled.meanMillis())
                .baselineMillis(baseline.unsampled.meanMillis())
                .failures(found.failures)
                .build();
    }

    private PoissonTraffic.TrafficResults send(PoissonTraffic traffic, Set<String> memoized, ProfilingControl control)
            throws IOException, InterruptedException {
        Gateway gateway = Gateway.start(config.memoizing(memoized).trustingLoopback(), control);
        try {
            PoissonTraffic.TrafficResults found = traffic.send(
                    gateway.ports().get(front.name()),
                    settings.targets(),
                    settings.perSecond(),
                    settings.trialMillis(),
                    seed,
                    control::samples);
            if (control.isSampling()) {
                awaitReplays(gateway);
            }
            return found;
        } finally {
            gateway.close();
        }
    }

    /** Waits until no replay is pending; the expiration bounds the wait. */
    private void awaitReplays(Gateway gateway) throws InterruptedException {
        long deadline = System.nanoTime()
                + TimeUnit.MILLISECONDS.toNanos(
                        config.record().timeoutMillis() + config.record().expirationMillis());
        TimeUnit.MILLISECONDS.sleep(config.record().timeoutMillis());
        while (gateway.isReplaying() && System.nanoTime() < deadline) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }
}
