package io.kipimo.core.admission;

import io.kipimo.core.guard.Step;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A small model of the controlled service in virtual time, with one batch a period.
 *
 * <p>Utilisation = 0.15 for the high class + admitted fraction times the low class's offered load. The share of queries
 * with a time-out is a logistic function of it, one half at 0.9. A time-out costs a quality that is uniform on 0..0.8.
 * A fifth of each batch's queries of the high class is sampled, and some samples are lost. The windows carry the
 * stratified estimate, as the jobs compute it, and arrive {@code deadPeriods} periods late.
 */
final class ClosedLoop {
    private static final AdmissionLoop LOOP = new AdmissionLoop();
    static final double HIGH_LOAD = 0.15;
    static final double MEAN_LOSS = 0.4;
    private static final double MIDDLE = 0.9;
    private static final double STEEPNESS = 0.08;

    /** Events of one period. */
    record Row(int period, double offered, double admitted, double quality, String reason) {}

    /** Offered load of the low class, in units of capacity, at a period. */
    interface Load {
        double at(int period);
    }

    private record Batch(int period, int answered, int timedOut, int degraded, double sum, double squares) {}

    private final Policy policy;
    private final int deadPeriods;
    private final double sampleLoss;
    private final int queries;
    private final SplittableRandom random;
    private final Deque<Batch> onTheirWay = new ArrayDeque<>();
    private final Deque<Batch> window = new ArrayDeque<>();
    private final Map<String, Double> inForce = new HashMap<>();
    private final List<Decision> decisions = new ArrayList<>();
    private AdmissionState state = AdmissionState.initial();
    private String reason = "";

    ClosedLoop(Policy policy, int deadPeriods, double sampleLoss, int queries, long seed) {
        this.policy = policy;
        this.deadPeriods = deadPeriods;
        this.sampleLoss = sampleLoss;
        this.queries = queries;
        this.random = new SplittableRandom(seed);
        policy.classes().forEach(c -> inForce.put(c.name(), c.safeFraction()));
    }

    static double timeOuts(double utilisation) {
        return 1 / (1 + Math.exp((MIDDLE - utilisation) / STEEPNESS));
    }

    static double quality(double offered, double admitted) {
        return 1 - MEAN_LOSS * timeOuts(HIGH_LOAD + offered * admitted);
    }

    /** The greatest fraction, at most 1, at which the high class keeps its objective. */
    static double needed(double offered, double objective) {
        double share = (1 - objective) / MEAN_LOSS;
        double utilisation = MIDDLE - STEEPNESS * Math.log(1 / share - 1);
        return Math.min(1, (utilisation - HIGH_LOAD) / offered);
    }

    List<Row> run(int periods, Load load) {
        List<Row> rows = new ArrayList<>();
        for (int k = 0; k < periods; k++) {
            double admitted = inForce.get("low");
            double offered = load.at(k);
            rows.add(new Row(k, offered, admitted, quality(offered, admitted), reason));
            onTheirWay.add(batch(k, timeOuts(HIGH_LOAD + offered * admitted)));
            long now = millis(k + 1);
            if (onTheirWay.size() > deadPeriods) {
                take(LOOP.step(state, arrive(onTheirWay.poll()), SampleWindows.at(policy, now)));
            }
            take(LOOP.heartbeat(state, SampleWindows.at(policy, now)));
        }
        return rows;
    }

    List<Decision> decisions() {
        return decisions;
    }

    private static long millis(int period) {
        return SampleWindows.START + period * SampleWindows.PERIOD;
    }

    private void take(Step<AdmissionState, Decision> step) {
        state = step.next();
        decisions.addAll(step.decisions());
        for (Decision d : step.decisions()) {
            String queryClass = d.scope().substring(d.scope().indexOf('/') + 1);
            inForce.put(queryClass, d.value());
            if (queryClass.equals("low")) {
                reason = d.reason();
            }
        }
    }

    private Batch batch(int period, double share) {
        int timedOut = 0;
        int degraded = 0;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < queries; i++) {
            if (random.nextDouble() >= share) {
                continue;
            }
            timedOut++;
            if (random.nextDouble() < 0.2 * (1 - sampleLoss)) {
                double quality = 1 - 2 * MEAN_LOSS * random.nextDouble();
                degraded++;
                sum += quality;
                squares += quality * quality;
            }
        }
        return new Batch(period, queries, timedOut, degraded, sum, squares);
    }

    private QualityWindow arrive(Batch batch) {
        window.add(batch);
        long end = millis(batch.period() + 1);
        while (millis(window.peek().period()) < end - policy.windowMillis()) {
            window.poll();
        }
        Batch all = window.stream()
                .reduce(
                        new Batch(0, 0, 0, 0, 0, 0),
                        (a, b) -> new Batch(
                                b.period(),
                                a.answered() + b.answered(),
                                a.timedOut() + b.timedOut(),
                                a.degraded() + b.degraded(),
                                a.sum() + b.sum(),
                                a.squares() + b.squares()));
        Optional<Double> loss = all.degraded() == 0 ? Optional.empty() : Optional.of(1 - all.sum() / all.degraded());
        double sampled = 0.2 * (1 - sampleLoss);
        return SampleWindows.window(
                WindowKind.BATCH,
                end,
                estimate(batch),
                estimate(all),
                batch.answered(),
                batch.timedOut(),
                (int) (batch.answered() * sampled),
                0,
                (int) (all.answered() * sampled),
                loss);
    }

    private static Optional<Estimate> estimate(Batch b) {
        if (b.timedOut() == 0) {
            return Optional.of(new Estimate(1, 1, 1));
        }
        if (b.degraded() == 0) {
            return Optional.empty();
        }
        double share = (double) b.timedOut() / b.answered();
        double mean = b.sum() / b.degraded();
        double variance = b.degraded() < 2
                ? 0.25
                : Math.max(0.01, (b.squares() - b.degraded() * mean * mean) / (b.degraded() - 1));
        double quality = 1 - share * (1 - mean);
        double half = 1.96 * share * Math.sqrt(variance / b.degraded());
        return Optional.of(new Estimate(Math.max(0, quality - half), quality, Math.min(1, quality + half)));
    }
}
