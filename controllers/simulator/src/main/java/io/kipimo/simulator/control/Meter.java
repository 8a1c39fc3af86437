package io.kipimo.simulator.control;

import io.kipimo.core.admission.CostBins;
import io.kipimo.core.admission.CostTally;
import io.kipimo.schemas.observation.ComponentCount;
import io.kipimo.schemas.observation.CostCount;
import io.kipimo.schemas.observation.MissingCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.simulator.engine.Times;
import io.kipimo.simulator.service.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts one class as the SDK's meter does: every query, sampled or not, by second. */
final class Meter {
    private final String queryClass;
    private final List<String> components;
    private final boolean countsMissing;
    private final long[] invoked;
    private final long[] timedOutBy;
    private final long[] missing;
    private final long[] notAskedBy;
    private long notAsked;
    private double notAskedLoss;
    private long offered;
    private long rejected;
    private long answered;
    private long degraded;
    private long lateResults;
    private long lateWorkMicros;
    private long answerWorkMicros;
    private final Map<Integer, CostTally> costs = new TreeMap<>();

    /** @param countsMissing false: counts as front ends do that do not report which components were missing */
    Meter(String queryClass, List<String> components, boolean countsMissing) {
        this.countsMissing = countsMissing;
        this.queryClass = queryClass;
        this.components = components;
        this.invoked = new long[components.size()];
        this.timedOutBy = new long[components.size()];
        this.missing = new long[components.size()];
        this.notAskedBy = new long[components.size()];
    }

    /** @param cost predicted cost of the query */
    void offered(double cost) {
        offered++;
        costs.merge(CostBins.of(cost), new CostTally(1, 0, 0), CostTally::plus);
    }

    void rejected() {
        rejected++;
    }

    /**
     * @param cost predicted cost of the query
     * @param expectedLoss quality that the query is expected to lose by the partitions that it did not ask, 0..1
     */
    void answered(Query query, double cost, double expectedLoss) {
        answered++;
        long workBefore = answerWorkMicros;
        boolean isDegraded = false;
        if (query.isTrimmed()) {
            notAsked++;
            notAskedLoss += expectedLoss;
        }
        for (int p = 0; p < invoked.length; p++) {
            if (!query.isAsked(p)) {
                notAskedBy[p]++;
                continue;
            }
            invoked[p]++;
            answerWorkMicros += query.latencyNanos(p) / (Times.MILLISECOND / 1000);
            Outcome outcome = query.outcome(p);
            if (outcome != Outcome.IN_TIME) {
                isDegraded = true;
                missing[p]++;
            }
            if (outcome == Outcome.TIMED_OUT) {
                timedOutBy[p]++;
            }
        }
        degraded += isDegraded ? 1 : 0;
        costs.merge(CostBins.of(cost), new CostTally(0, 1, answerWorkMicros - workBefore), CostTally::plus);
    }

    void lateResult(long lateNanos) {
        lateResults++;
        lateWorkMicros += lateNanos / (Times.MILLISECOND / 1000);
    }

    /** Returns the counts since the last call, as those of one second. */
    Observation take(Policy policy, long secondMillis, double admittedFraction) {
        List<ComponentCount> counts = new ArrayList<>(components.size());
        List<MissingCount> lacked = new ArrayList<>();
        List<MissingCount> leftOut = new ArrayList<>();
        for (int p = 0; p < invoked.length; p++) {
            counts.add(new ComponentCount(components.get(p), invoked[p], timedOutBy[p]));
            if (countsMissing && missing[p] > 0) {
                lacked.add(new MissingCount(components.get(p), missing[p]));
            }
            if (notAskedBy[p] > 0) {
                leftOut.add(new MissingCount(components.get(p), notAskedBy[p]));
            }
            notAskedBy[p] = 0;
            invoked[p] = 0;
            timedOutBy[p] = 0;
            missing[p] = 0;
        }
        Observation observation = ObservationBuilder.builder()
                .service(policy.service())
                .tier("front")
                .server("front-0")
                .queryClass(queryClass)
                .secondMillis(secondMillis)
                .offered(offered)
                .rejected(rejected)
                .answered(answered)
                .timedOut(degraded)
                .components(counts)
                .bill(new MeasurementBill(lateResults, lateWorkMicros, 0, 0, answerWorkMicros))
                .admittedFraction(admittedFraction)
                .missing(lacked)
                .notAsked(notAsked)
                .notAskedLossSum(notAskedLoss)
                .notAskedComponents(leftOut)
                .costs(costs.entrySet().stream().map(Meter::count).toList())
                .build();
        costs.clear();
        notAsked = 0;
        notAskedLoss = 0;
        offered = 0;
        rejected = 0;
        answered = 0;
        degraded = 0;
        lateResults = 0;
        lateWorkMicros = 0;
        answerWorkMicros = 0;
        return observation;
    }

    private static CostCount count(Map.Entry<Integer, CostTally> bin) {
        CostTally tally = bin.getValue();
        return new CostCount(bin.getKey(), tally.offered(), tally.answered(), tally.workMicros());
    }
}
