package io.kipimo.schemas.codec;

import io.kipimo.schemas.policy.FactorOverride;
import io.kipimo.schemas.policy.ReplicatedTier;
import io.kipimo.schemas.policy.ReplicationPolicy;
import io.kipimo.schemas.policy.TargetLatency;
import io.kipimo.schemas.policy.TrialPolicy;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.wire.FactorOverrideProto;
import io.kipimo.schemas.wire.ReplicatedTierProto;
import io.kipimo.schemas.wire.ReplicationPolicyProto;
import io.kipimo.schemas.wire.TargetLatencyProto;
import io.kipimo.schemas.wire.TrialPolicyProto;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The part of a policy on replication. */
final class ReplicationPolicyCodec {
    private static final TargetLatency[] TARGETS = TargetLatency.values();
    private static final long DAY_MILLIS = 24L * 3600 * 1000;
    private static final long HOUR_MILLIS = 3600L * 1000;

    /** More tiers in a row no service has. */
    private static final int MOST_TIERS = 16;

    private ReplicationPolicyCodec() {}

    static ReplicationPolicyProto toWire(ReplicationPolicy r) {
        ReplicationPolicyProto.Builder wire =
                ReplicationPolicyProto.newBuilder()
                        .setShadow(r.shadow())
                        .setTarget(TargetLatencyProto.forNumber(r.target().ordinal() + 1))
                        .setObjectiveMillis(r.objectiveMillis())
                        .setMaximumCollision(r.maximumCollision())
                        .setMaximumUtilisation(r.maximumUtilisation())
                        .setHoldUtilisation(r.holdUtilisation())
                        .setExtraLoadShare(r.extraLoadShare())
                        .setModelFirst(r.modelFirst())
                        .setTrials(toWire(r.trials()))
                        .setLoadChange(r.loadChange())
                        .setVariabilityChange(r.variabilityChange())
                        .setSmoothingMillis(r.smoothingMillis())
                        .setPeriodMillis(r.periodMillis())
                        .setStaleAfterMillis(r.staleAfterMillis())
                        .setLeaseMillis(r.leaseMillis());
        for (ReplicatedTier tier : r.tiers()) {
            wire.addTiers(
                    ReplicatedTierProto.newBuilder()
                            .setName(tier.name())
                            .setServers(tier.servers())
                            .setCores(tier.cores())
                            .setMaximumFactor(tier.maximumFactor()));
        }
        r.override()
                .ifPresent(
                        o ->
                                wire.setOverride(
                                        FactorOverrideProto.newBuilder()
                                                .addAllFactors(o.factors())
                                                .setUntilMillis(o.untilMillis())
                                                .setBy(o.by())
                                                .setReason(o.reason())));
        return wire.build();
    }

    private static TrialPolicyProto toWire(TrialPolicy t) {
        return TrialPolicyProto.newBuilder()
                .setSettlingMillis(t.settlingMillis())
                .setMinimumMillis(t.minimumMillis())
                .setMaximumMillis(t.maximumMillis())
                .setBatchMillis(t.batchMillis())
                .setBatchRequests(t.batchRequests())
                .setMinimumRequests(t.minimumRequests())
                .setMinimumBatches(t.minimumBatches())
                .setConfidence(t.confidence())
                .setLastConfidence(t.lastConfidence())
                .setBaselineError(t.baselineError())
                .setMinimumGain(t.minimumGain())
                .build();
    }

    static ReplicationPolicy fromWire(ReplicationPolicyProto r, Problems problems) {
        String at = "replication.";
        List<ReplicatedTier> tiers =
                problems.check(List.of(), () -> tiers(r.getTiersList(), problems));
        double most =
                problems.within(at + "maximum_utilisation", r.getMaximumUtilisation(), 0.01, 1);
        return new ReplicationPolicy(
                r.getShadow(),
                tiers,
                problems.check(
                        TargetLatency.P99,
                        () -> Checks.constant(at + "target", r.getTargetValue(), TARGETS)),
                problems.within(at + "objective_millis", r.getObjectiveMillis(), 0, DAY_MILLIS),
                problems.within(at + "maximum_collision", r.getMaximumCollision(), 0, 1),
                most,
                problems.within(at + "hold_utilisation", r.getHoldUtilisation(), most, 1),
                problems.within(at + "extra_load_share", r.getExtraLoadShare(), 0, 1),
                r.getModelFirst(),
                fromWire(r.getTrials(), problems),
                problems.within(at + "load_change", r.getLoadChange(), 0.01, 1e6),
                problems.within(at + "variability_change", r.getVariabilityChange(), 0.01, 1e6),
                problems.within(at + "smoothing_millis", r.getSmoothingMillis(), 1, DAY_MILLIS),
                problems.within(at + "period_millis", r.getPeriodMillis(), 100, HOUR_MILLIS),
                problems.within(
                        at + "stale_after_millis", r.getStaleAfterMillis(), 100, HOUR_MILLIS),
                problems.within(at + "lease_millis", r.getLeaseMillis(), 100, HOUR_MILLIS),
                r.hasOverride()
                        ? Optional.of(fromWire(r.getOverride(), tiers.size(), problems))
                        : Optional.empty());
    }

    private static List<ReplicatedTier> tiers(List<ReplicatedTierProto> wire, Problems problems)
            throws InvalidRecordException {
        if (wire.isEmpty() || wire.size() > MOST_TIERS) {
            throw Checks.inconsistent(
                    "replication.tiers has "
                            + wire.size()
                            + " tiers; allowed: 1.."
                            + MOST_TIERS
                            + ", first to last");
        }
        Set<String> names = new HashSet<>();
        List<ReplicatedTier> tiers = new ArrayList<>();
        for (ReplicatedTierProto tier : wire) {
            String name =
                    problems.check(
                            "?", () -> Checks.name("replication.tiers.name", tier.getName()));
            if (!names.add(name)) {
                problems.add(
                        Checks.inconsistent(
                                "replication.tiers names '" + name + "' twice; allowed: once"));
            }
            String path = "replication.tiers." + name + ".";
            int most = TierFactor.MOST;
            tiers.add(
                    new ReplicatedTier(
                            name,
                            (int) problems.within(path + "servers", tier.getServers(), 0, most),
                            (int) problems.within(path + "cores", tier.getCores(), 0, most),
                            (int)
                                    problems.within(
                                            path + "maximum_factor",
                                            tier.getMaximumFactor(),
                                            0,
                                            most)));
        }
        return List.copyOf(tiers);
    }

    private static FactorOverride fromWire(FactorOverrideProto wire, int tiers, Problems problems) {
        String path = "replication.override.";
        return new FactorOverride(
                problems.check(List.of(), () -> factors(wire.getFactorsList(), tiers)),
                problems.check(
                        0L, () -> Checks.count(path + "until_millis", wire.getUntilMillis())),
                problems.check("", () -> Checks.text(path + "by", wire.getBy())),
                problems.check("", () -> Checks.text(path + "reason", wire.getReason())));
    }

    private static List<Integer> factors(List<Integer> wire, int tiers)
            throws InvalidRecordException {
        if (wire.size() != tiers) {
            throw Checks.inconsistent(
                    "replication.override.factors has "
                            + wire.size()
                            + " factors; allowed: one a tier, "
                            + tiers);
        }
        for (int factor : wire) {
            Checks.within("replication.override.factors", factor, 1, TierFactor.MOST);
        }
        return List.copyOf(wire);
    }

    private static TrialPolicy fromWire(TrialPolicyProto t, Problems problems) {
        String at = "replication.trials.";
        long most = problems.within(at + "maximum_millis", t.getMaximumMillis(), 1, DAY_MILLIS);
        return new TrialPolicy(
                problems.within(at + "settling_millis", t.getSettlingMillis(), 0, HOUR_MILLIS),
                problems.within(at + "minimum_millis", t.getMinimumMillis(), 0, most),
                most,
                problems.within(at + "batch_millis", t.getBatchMillis(), 1, most),
                (int) problems.within(at + "batch_requests", t.getBatchRequests(), 1, 1_000_000),
                (int)
                        problems.within(
                                at + "minimum_requests", t.getMinimumRequests(), 1, 100_000_000),
                (int) problems.within(at + "minimum_batches", t.getMinimumBatches(), 3, 1000),
                problems.within(at + "confidence", t.getConfidence(), 0.5, 0.9999),
                problems.within(at + "last_confidence", t.getLastConfidence(), 0.5, 0.9999),
                problems.within(at + "baseline_error", t.getBaselineError(), 0, 1),
                problems.within(at + "minimum_gain", t.getMinimumGain(), 0, 1));
    }
}
