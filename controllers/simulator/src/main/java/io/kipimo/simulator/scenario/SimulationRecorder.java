package io.kipimo.simulator.scenario;

import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.quality.join.JoinResult;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import io.kipimo.simulator.control.ReplicationPlane;
import io.kipimo.simulator.control.VirtualClock;
import io.kipimo.simulator.control.Watcher;
import io.kipimo.simulator.engine.Times;
import io.kipimo.simulator.service.Query;
import io.kipimo.simulator.service.SimulatedService;
import io.kipimo.simulator.service.TierCounts;
import io.kipimo.simulator.service.TierSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Collects the figures of a run and sums them up. */
final class SimulationRecorder implements Watcher {
    private static final class PerClass {
        final long[] offered;
        final long[] rejected;
        final long[] answered;
        final long[] degraded;
        final double[] quality;
        final long[] good;
        final double[] asked;
        final Doubles latencies = new Doubles();

        PerClass(int slots) {
            offered = new long[slots];
            rejected = new long[slots];
            answered = new long[slots];
            degraded = new long[slots];
            quality = new double[slots];
            good = new long[slots];
            asked = new double[slots];
        }
    }

    private final Scenario scenario;
    private final Optional<Policy> policy;
    private final int slots;
    private final int firstSlot;
    private final List<PerClass> classes = new ArrayList<>();
    private final double[] fraction;
    private final List<Optional<Estimate>> measured = new ArrayList<>();
    private final double[][] busy;
    private Optional<Estimate> newest = Optional.empty();

    /** True quality of the highest class by second, to compare batches with. */
    private final double[] qualityBySecond;

    private final long[] answeredBySecond;
    private final List<SimulationResult.JudgedBatch> judged = new ArrayList<>();
    private int batchesWithout;
    private long measurements;
    private long expired;
    private long moves;
    private long vain;

    SimulationRecorder(Scenario scenario) {
        this.scenario = scenario;
        this.policy = scenario.control().map(c -> c.policy());
        this.slots = (int) Math.ceil(scenario.seconds() / scenario.slotSeconds() - 1e-9);
        this.firstSlot = (int) Math.ceil(scenario.warmUpSeconds() / scenario.slotSeconds() - 1e-9);
        scenario.service().classes().forEach(c -> classes.add(new PerClass(slots)));
        this.fraction = new double[slots];
        Arrays.fill(fraction, 1);
        this.busy = new double[slots][];
        int seconds = (int) Math.ceil(scenario.seconds()) + 1;
        this.qualityBySecond = new double[seconds];
        this.answeredBySecond = new long[seconds];
    }

    private int slotAt(double seconds) {
        return Math.min(slots - 1, (int) (seconds / scenario.slotSeconds()));
    }

    private int classOf(String name) {
        for (int c = 0; c < classes.size(); c++) {
            if (scenario.service().classes().get(c).name().equals(name)) {
                return c;
            }
        }
        throw new IllegalArgumentException("class is '" + name + "'; allowed: the scenario's");
    }

    private boolean isHighest(int classIndex) {
        String name = scenario.service().classes().get(classIndex).name();
        return policy.isPresent() && policy.get().highestClass().name().equals(name);
    }

    /** Counts a query that asks for admission; called only without control. */
    void offered(Query query) {
        classes.get(query.classIndex()).offered[slotAt(Times.seconds(query.startedNanos()))]++;
    }

    @Override
    public void answered(Query query, boolean degraded, double quality) {
        double seconds = Times.seconds(query.answeredNanos());
        int slot = slotAt(seconds);
        PerClass mine = classes.get(query.classIndex());
        mine.answered[slot]++;
        mine.degraded[slot] += degraded ? 1 : 0;
        mine.quality[slot] += quality;
        mine.good[slot] += quality >= scenario.threshold() ? 1 : 0;
        mine.asked[slot] += query.askedShare();
        if (slot >= firstSlot) {
            mine.latencies.add(Times.seconds(query.answeredNanos() - query.startedNanos()));
        }
        if (isHighest(query.classIndex())) {
            qualityBySecond[(int) seconds] += quality;
            answeredBySecond[(int) seconds]++;
        }
    }

    @Override
    public void counted(Observation observation) {
        int slot = slotAt(VirtualClock.seconds(observation.secondMillis()));
        PerClass mine = classes.get(classOf(observation.queryClass()));
        mine.offered[slot] += observation.offered();
        mine.rejected[slot] += observation.rejected();
        boolean isShedFirst = policy.orElseThrow().classes().stream()
                .max(Comparator.comparingInt(ClassPolicy::priority))
                .map(ClassPolicy::name)
                .filter(observation.queryClass()::equals)
                .isPresent();
        if (isShedFirst) {
            fraction[slot] = observation.admittedFraction();
        }
    }

    @Override
    public void measured(Measurement measurement) {
        measurements++;
        expired += measurement.completeness() == Completeness.EXPIRED ? 1 : 0;
    }

    @Override
    public void estimated(QualityWindow window) {
        Policy p = policy.orElseThrow();
        if (!window.queryClass().equals(p.highestClass().name())
                || !window.metric().equals(p.metrics().get(0))) {
            return;
        }
        if (window.kind() == WindowKind.SLIDING) {
            newest = window.estimate();
        } else if (VirtualClock.seconds(window.startMillis()) >= scenario.warmUpSeconds()) {
            compareWithTruth(window);
        }
    }

    private void compareWithTruth(QualityWindow batch) {
        int from = (int) VirtualClock.seconds(batch.startMillis());
        int until = (int) VirtualClock.seconds(batch.endMillis());
        double quality = 0;
        long answered = 0;
        for (int second = from; second < Math.min(until, qualityBySecond.length); second++) {
            quality += qualityBySecond[second];
            answered += answeredBySecond[second];
        }
        if (answered == 0) {
            return;
        }
        double truth = quality / answered;
        batch.estimate()
                .ifPresentOrElse(
                        e -> judged.add(new SimulationResult.JudgedBatch(from, e, truth)), () -> batchesWithout++);
    }

    @Override
    public void decided(Decision decision) {
        moves += decision.value() != decision.previous() ? 1 : 0;
        vain += decision.reason().equals(DecisionReason.SHEDDING_DOES_NOT_HELP.name()) ? 1 : 0;
    }

    /** Records the busy time of each tier and the newest estimate at the end of a slot. */
    void slotEnded(int slot, SimulatedService model) {
        busy[slot] = new double[scenario.service().tiers().size()];
        for (int tier = 0; tier < busy[slot].length; tier++) {
            busy[slot][tier] = model.busyCoreSeconds(tier);
        }
        measured.add(newest);
    }

    int slots() {
        return slots;
    }

    SimulationResult result(
            SimulatedService model, Map<JoinResult, Long> fates, Optional<ReplicationPlane> replication, long events) {
        List<SimulationResult.ClassTotal> classTotals = new ArrayList<>();
        for (int c = 0; c < classes.size(); c++) {
            classTotals.add(classTotal(c));
        }
        List<SimulationResult.TierTotal> tierTotals = new ArrayList<>();
        for (int t = 0; t < scenario.service().tiers().size(); t++) {
            tierTotals.add(tierTotal(t, model));
        }
        List<SimulationResult.Slot> points = new ArrayList<>();
        for (int slot = 0; slot < slots; slot++) {
            points.add(slot(slot, model));
        }
        return SimulationResultBuilder.builder()
                .scenario(scenario.name())
                .seed(scenario.seed())
                .seconds(scenario.seconds())
                .warmUpSeconds(scenario.warmUpSeconds())
                .threshold(scenario.threshold())
                .classes(classTotals)
                .tiers(tierTotals)
                .slots(points)
                .control(policy.map(p -> controlTotal(p, fates)))
                .replication(replication.map(SimulationRecorder::replicationTotal))
                .executions(model.executions())
                .events(events)
                .build();
    }

    private SimulationResult.ClassTotal classTotal(int classIndex) {
        PerClass mine = classes.get(classIndex);
        long offered = 0;
        long rejected = 0;
        long answered = 0;
        long degraded = 0;
        double quality = 0;
        long good = 0;
        double asked = 0;
        for (int slot = firstSlot; slot < slots; slot++) {
            good += mine.good[slot];
            asked += mine.asked[slot];
            offered += mine.offered[slot];
            rejected += mine.rejected[slot];
            answered += mine.answered[slot];
            degraded += mine.degraded[slot];
            quality += mine.quality[slot];
        }
        return new SimulationResult.ClassTotal(
                scenario.service().classes().get(classIndex).name(),
                offered,
                offered - rejected,
                answered,
                answered == 0 ? 0 : (double) degraded / answered,
                answered == 0 ? 1 : quality / answered,
                good,
                answered == 0 ? 1 : asked / answered,
                Latencies.of(mine.latencies.toArray()));
    }

    private SimulationResult.TierTotal tierTotal(int index, SimulatedService model) {
        TierSpec tier = scenario.service().tiers().get(index);
        TierCounts counts = model.counts(index);
        return new SimulationResult.TierTotal(
                tier.name(),
                counts.calls(),
                counts.timedOutCalls(),
                counts.executions(),
                counts.refused(),
                counts.lookups(),
                counts.hits(),
                model.busyCoreSeconds(index) / (model.cores(index) * scenario.seconds()),
                Latencies.of(counts.latencies()));
    }

    private SimulationResult.Slot slot(int slot, SimulatedService model) {
        List<SimulationResult.ClassSlot> byClass = new ArrayList<>();
        for (PerClass mine : classes) {
            long answered = mine.answered[slot];
            byClass.add(new SimulationResult.ClassSlot(
                    mine.offered[slot],
                    mine.offered[slot] - mine.rejected[slot],
                    answered,
                    answered == 0 ? 0 : (double) mine.degraded[slot] / answered,
                    answered == 0 ? 1 : mine.quality[slot] / answered,
                    answered == 0 ? 1 : mine.asked[slot] / answered));
        }
        double[] utilisation = new double[busy[slot].length];
        for (int tier = 0; tier < utilisation.length; tier++) {
            double before = slot == 0 ? 0 : busy[slot - 1][tier];
            utilisation[tier] = (busy[slot][tier] - before) / (model.cores(tier) * scenario.slotSeconds());
        }
        return new SimulationResult.Slot(
                slot * scenario.slotSeconds(), byClass, fraction[slot], measured.get(slot), utilisation);
    }

    private static SimulationResult.ReplicationTotal replicationTotal(ReplicationPlane plane) {
        return new SimulationResult.ReplicationTotal(
                plane.proven(),
                plane.trials(),
                plane.endedAtSeconds(),
                plane.greatestUtilisation(),
                plane.vain(),
                plane.changes());
    }

    private SimulationResult.ControlTotal controlTotal(Policy p, Map<JoinResult, Long> fates) {
        PerClass highest = classes.get(classOf(p.highestClass().name()));
        int slotsInWindow = Math.max(1, (int) Math.round(p.windowMillis() / 1000.0 / scenario.slotSeconds()));
        int windows = 0;
        int good = 0;
        double worst = 1;
        for (int end = firstSlot + slotsInWindow; end <= slots; end++) {
            double quality = 0;
            long answered = 0;
            for (int slot = end - slotsInWindow; slot < end; slot++) {
                quality += highest.quality[slot];
                answered += highest.answered[slot];
            }
            if (answered > 0) {
                windows++;
                good += quality / answered >= scenario.threshold() ? 1 : 0;
                worst = Math.min(worst, quality / answered);
            }
        }
        double[] sorted = judged.stream()
                .mapToDouble(SimulationResult.JudgedBatch::error)
                .sorted()
                .toArray();
        // Relative to the mean truth: relative to its own, the error of a batch of quality 0 is infinite.
        double truth = judged.stream()
                .mapToDouble(SimulationResult.JudgedBatch::truth)
                .average()
                .orElse(0);
        boolean isKnown = truth > 0;
        return new SimulationResult.ControlTotal(
                new SimulationResult.QualityTotal(windows, good, worst),
                measurements,
                expired,
                new SimulationResult.BatchErrors(
                        List.copyOf(judged),
                        batchesWithout,
                        isKnown ? Arrays.stream(sorted).average().orElseThrow() / truth : 0,
                        isKnown ? Latencies.quantile(sorted, 0.95) / truth : 0),
                moves,
                vain,
                fates);
    }
}
