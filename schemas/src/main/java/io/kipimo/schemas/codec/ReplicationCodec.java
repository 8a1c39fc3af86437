package io.kipimo.schemas.codec;

import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.replication.BrokenConstraint;
import io.kipimo.schemas.replication.ReplicationDecision;
import io.kipimo.schemas.replication.ReplicationDecisionBuilder;
import io.kipimo.schemas.replication.TierFactor;
import io.kipimo.schemas.replication.TrialEvidence;
import io.kipimo.schemas.replication.TrialEvidenceBuilder;
import io.kipimo.schemas.wire.BrokenConstraintProto;
import io.kipimo.schemas.wire.DecisionModeProto;
import io.kipimo.schemas.wire.ReplicationDecisionProto;
import io.kipimo.schemas.wire.TierFactorProto;
import io.kipimo.schemas.wire.TrialEvidenceProto;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decisions on replication factors on the wire. */
final class ReplicationCodec {
    private static final DecisionMode[] MODES = DecisionMode.values();

    /** Upper bound of shares, utilisations and numbers of servers. */
    private static final double LARGEST = 1e12;

    private ReplicationCodec() {}

    static ReplicationDecisionProto toWire(ReplicationDecision decision) {
        ReplicationDecisionProto.Builder wire =
                ReplicationDecisionProto.newBuilder()
                        .setService(decision.service())
                        .setEpoch(decision.epoch())
                        .setSequence(decision.sequence())
                        .setIssuedAtMillis(decision.issuedAtMillis())
                        .setAsOfMillis(decision.asOfMillis())
                        .setValidUntilMillis(decision.validUntilMillis())
                        .setMode(DecisionModeProto.forNumber(decision.mode().ordinal() + 1))
                        .setReason(decision.reason())
                        .setInTrial(decision.inTrial())
                        .setRequests(decision.requests())
                        .setMeasuredMicros(decision.measuredMicros())
                        .setObjectiveMicros(decision.objectiveMicros())
                        .setConfigVersion(decision.configVersion());
        for (TierFactor tier : decision.tiers()) {
            wire.addTiers(
                    TierFactorProto.newBuilder()
                            .setTier(tier.tier())
                            .setFactor(tier.factor())
                            .setPrevious(tier.previous())
                            .setFallback(tier.fallback())
                            .setRefusedByModel(tier.refusedByModel())
                            .setUnevenCosts(tier.unevenCosts()));
        }
        decision.evidence().ifPresent(e -> wire.setEvidence(toWire(e)));
        for (BrokenConstraint broken : decision.broken()) {
            wire.addBroken(
                    BrokenConstraintProto.newBuilder()
                            .setConstraint(broken.constraint())
                            .setTier(broken.tier())
                            .setValue(broken.value())
                            .setAllowed(broken.allowed()));
        }
        return wire.build();
    }

    private static TrialEvidenceProto toWire(TrialEvidence evidence) {
        TrialEvidenceProto.Builder wire =
                TrialEvidenceProto.newBuilder()
                        .addAllFrom(evidence.from())
                        .addAllTo(evidence.to())
                        .setBaselineRequests(evidence.baselineRequests())
                        .setTrialRequests(evidence.trialRequests())
                        .setBaselineMicros(evidence.baselineMicros())
                        .setTrialMicros(evidence.trialMicros())
                        .setChangeMicros(evidence.changeMicros())
                        .setLowMicros(evidence.lowMicros())
                        .setHighMicros(evidence.highMicros());
        evidence.predictedMicros().ifPresent(wire::setPredictedMicros);
        return wire.build();
    }

    static ReplicationDecision fromWire(ReplicationDecisionProto wire)
            throws InvalidRecordException {
        long issuedAt = Checks.millis("issued_at_millis", wire.getIssuedAtMillis());
        List<TierFactor> tiers = tiers(wire.getTiersList());
        return ReplicationDecisionBuilder.builder()
                .service(Checks.name("service", wire.getService()))
                .epoch(Checks.count("epoch", wire.getEpoch()))
                .sequence(Checks.count("sequence", wire.getSequence()))
                .issuedAtMillis(issuedAt)
                .asOfMillis(Checks.count("as_of_millis", wire.getAsOfMillis()))
                .validUntilMillis(
                        Checks.within(
                                "valid_until_millis",
                                wire.getValidUntilMillis(),
                                issuedAt,
                                Long.MAX_VALUE))
                .tiers(tiers)
                .mode(Checks.constant("mode", wire.getModeValue(), MODES))
                .reason(Checks.text("reason", wire.getReason()))
                .inTrial(wire.getInTrial())
                .requests(Checks.count("requests", wire.getRequests()))
                .measuredMicros(micros("measured_micros", wire.getMeasuredMicros(), 0))
                .objectiveMicros(
                        Checks.latencyMicros("objective_micros", wire.getObjectiveMicros()))
                .evidence(
                        wire.hasEvidence()
                                ? Optional.of(evidence(wire.getEvidence(), tiers.size()))
                                : Optional.empty())
                .broken(broken(wire.getBrokenList()))
                .configVersion(Checks.count("config_version", wire.getConfigVersion()))
                .build();
    }

    private static List<TierFactor> tiers(List<TierFactorProto> wire)
            throws InvalidRecordException {
        Checks.parts("tiers", wire.size());
        if (wire.isEmpty()) {
            throw Checks.inconsistent("tiers is empty; allowed: at least one, first to last");
        }
        Set<String> names = new HashSet<>();
        List<TierFactor> tiers = new ArrayList<>(wire.size());
        for (TierFactorProto tier : wire) {
            if (!names.add(Checks.name("tiers.tier", tier.getTier()))) {
                throw Checks.inconsistent(
                        "tiers names '" + tier.getTier() + "' twice; allowed: once");
            }
            tiers.add(
                    new TierFactor(
                            tier.getTier(),
                            factor("tiers.factor", tier.getFactor()),
                            factor("tiers.previous", tier.getPrevious()),
                            factor("tiers.fallback", tier.getFallback()),
                            tier.getRefusedByModel(),
                            tier.getUnevenCosts()));
        }
        return List.copyOf(tiers);
    }

    private static TrialEvidence evidence(TrialEvidenceProto wire, int tiers)
            throws InvalidRecordException {
        double low = micros("evidence.low_micros", wire.getLowMicros(), -Checks.LONGEST_MICROS);
        double change = micros("evidence.change_micros", wire.getChangeMicros(), low);
        return TrialEvidenceBuilder.builder()
                .from(factors("evidence.from", wire.getFromList(), tiers))
                .to(factors("evidence.to", wire.getToList(), tiers))
                .baselineRequests(
                        Checks.count("evidence.baseline_requests", wire.getBaselineRequests()))
                .trialRequests(Checks.count("evidence.trial_requests", wire.getTrialRequests()))
                .baselineMicros(micros("evidence.baseline_micros", wire.getBaselineMicros(), 0))
                .trialMicros(micros("evidence.trial_micros", wire.getTrialMicros(), 0))
                .changeMicros(change)
                .lowMicros(low)
                .highMicros(micros("evidence.high_micros", wire.getHighMicros(), change))
                .predictedMicros(
                        wire.hasPredictedMicros()
                                ? Optional.of(
                                        micros(
                                                "evidence.predicted_micros",
                                                wire.getPredictedMicros(),
                                                -Checks.LONGEST_MICROS))
                                : Optional.empty())
                .build();
    }

    private static List<Integer> factors(String field, List<Integer> wire, int tiers)
            throws InvalidRecordException {
        if (wire.size() != tiers) {
            throw Checks.inconsistent(
                    field + " has " + wire.size() + " factors; allowed: one a tier, " + tiers);
        }
        for (int factor : wire) {
            factor(field, factor);
        }
        return List.copyOf(wire);
    }

    private static List<BrokenConstraint> broken(List<BrokenConstraintProto> wire)
            throws InvalidRecordException {
        Checks.parts("broken", wire.size());
        List<BrokenConstraint> broken = new ArrayList<>(wire.size());
        for (BrokenConstraintProto constraint : wire) {
            broken.add(
                    new BrokenConstraint(
                            Checks.text("broken.constraint", constraint.getConstraint()),
                            Checks.name("broken.tier", constraint.getTier()),
                            Checks.within("broken.value", constraint.getValue(), 0, LARGEST),
                            Checks.within("broken.allowed", constraint.getAllowed(), 0, LARGEST)));
        }
        return List.copyOf(broken);
    }

    private static int factor(String field, int value) throws InvalidRecordException {
        return (int) Checks.within(field, value, 1, TierFactor.MOST);
    }

    private static double micros(String field, double value, double least)
            throws InvalidRecordException {
        return Checks.within(field, value, least, 10.0 * Checks.LONGEST_MICROS);
    }
}
