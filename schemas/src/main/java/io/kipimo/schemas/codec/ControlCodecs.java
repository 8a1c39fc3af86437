package io.kipimo.schemas.codec;

import com.google.protobuf.ByteString;
import io.kipimo.schemas.deadletter.DeadLetter;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.decision.CostStep;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionBuilder;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.decision.EpochClaim;
import io.kipimo.schemas.observation.ComponentCount;
import io.kipimo.schemas.observation.CostCount;
import io.kipimo.schemas.observation.MissingCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.wire.ComponentCountProto;
import io.kipimo.schemas.wire.CostCountProto;
import io.kipimo.schemas.wire.CostStepProto;
import io.kipimo.schemas.wire.DeadLetterProto;
import io.kipimo.schemas.wire.DecisionModeProto;
import io.kipimo.schemas.wire.DecisionProto;
import io.kipimo.schemas.wire.EpochClaimProto;
import io.kipimo.schemas.wire.MissingCountProto;
import io.kipimo.schemas.wire.ObservationProto;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Observations, decisions, claims and dead letters on the wire. */
final class ControlCodecs {
    private static final DecisionMode[] MODES = DecisionMode.values();

    private ControlCodecs() {}

    static ObservationProto toWire(Observation observation) {
        ObservationProto.Builder wire =
                ObservationProto.newBuilder()
                        .setService(observation.service())
                        .setTier(observation.tier())
                        .setServer(observation.server())
                        .setQueryClass(observation.queryClass())
                        .setSecondMillis(observation.secondMillis())
                        .setOffered(observation.offered())
                        .setRejected(observation.rejected())
                        .setAnswered(observation.answered())
                        .setTimedOut(observation.timedOut())
                        .setLateResults(observation.bill().lateResults())
                        .setLateWorkMicros(observation.bill().lateWorkMicros())
                        .setEmittedBytes(observation.bill().emittedBytes())
                        .setDroppedEvents(observation.bill().droppedEvents())
                        .setAnswerWorkMicros(observation.bill().answerWorkMicros())
                        .setAdmittedFraction(observation.admittedFraction())
                        .setVariant(observation.variant())
                        .addAllUnmeasurable(QualityCodecs.toWire(observation.unmeasurable()));
        for (ComponentCount count : observation.components()) {
            wire.addComponents(
                    ComponentCountProto.newBuilder()
                            .setComponent(count.component())
                            .setInvoked(count.invoked())
                            .setTimedOut(count.timedOut()));
        }
        for (MissingCount count : observation.missing()) {
            wire.addMissing(toWire(count));
        }
        observation.safeFraction().ifPresent(wire::setSafeFraction);
        wire.setNotAsked(observation.notAsked()).setNotAskedLossSum(observation.notAskedLossSum());
        for (MissingCount count : observation.notAskedComponents()) {
            wire.addNotAskedComponents(toWire(count));
        }
        for (CostCount count : observation.costs()) {
            wire.addCosts(
                    CostCountProto.newBuilder()
                            .setBin(count.bin())
                            .setOffered(count.offered())
                            .setAnswered(count.answered())
                            .setWorkMicros(count.workMicros()));
        }
        return wire.build();
    }

    private static MissingCountProto toWire(MissingCount count) {
        return MissingCountProto.newBuilder()
                .setComponent(count.component())
                .setAnswers(count.answers())
                .build();
    }

    static Observation fromWire(ObservationProto wire) throws InvalidRecordException {
        Checks.parts("components", wire.getComponentsCount());
        List<ComponentCount> components = new ArrayList<>(wire.getComponentsCount());
        for (ComponentCountProto count : wire.getComponentsList()) {
            long invoked = Checks.count("components.invoked", count.getInvoked());
            components.add(
                    new ComponentCount(
                            Checks.name("components.component", count.getComponent()),
                            invoked,
                            Checks.within(
                                    "components.timed_out", count.getTimedOut(), 0, invoked)));
        }
        long answered = Checks.count("answered", wire.getAnswered());
        long offered = Checks.count("offered", wire.getOffered());
        long timedOut = Checks.within("timed_out", wire.getTimedOut(), 0, answered);
        long notAsked = Checks.within("not_asked", wire.getNotAsked(), 0, answered);
        return ObservationBuilder.builder()
                .service(Checks.name("service", wire.getService()))
                .tier(Checks.name("tier", wire.getTier()))
                .server(Checks.name("server", wire.getServer()))
                .queryClass(Checks.name("query_class", wire.getQueryClass()))
                .secondMillis(Checks.millis("second_millis", wire.getSecondMillis()))
                .offered(offered)
                .rejected(Checks.within("rejected", wire.getRejected(), 0, offered))
                .answered(answered)
                .timedOut(timedOut)
                .components(List.copyOf(components))
                .bill(
                        new MeasurementBill(
                                Checks.count("late_results", wire.getLateResults()),
                                Checks.count("late_work_micros", wire.getLateWorkMicros()),
                                Checks.count("emitted_bytes", wire.getEmittedBytes()),
                                Checks.count("dropped_events", wire.getDroppedEvents()),
                                Checks.count("answer_work_micros", wire.getAnswerWorkMicros())))
                .admittedFraction(Checks.fraction("admitted_fraction", wire.getAdmittedFraction()))
                .unmeasurable(QualityCodecs.fromWire(wire.getUnmeasurableList(), answered))
                .missing(missing("missing", wire.getMissingList(), timedOut))
                .costs(costs(wire.getCostsList(), offered, answered))
                .notAsked(notAsked)
                .notAskedLossSum(
                        Checks.within(
                                "not_asked_loss_sum",
                                wire.getNotAskedLossSum(),
                                0,
                                (double) notAsked))
                .notAskedComponents(
                        missing("not_asked_components", wire.getNotAskedComponentsList(), notAsked))
                .variant(Checks.optionalName("variant", wire.getVariant()))
                .safeFraction(
                        wire.hasSafeFraction()
                                ? Optional.of(
                                        Checks.fraction("safe_fraction", wire.getSafeFraction()))
                                : Optional.empty())
                .build();
    }

    private static List<CostCount> costs(List<CostCountProto> wire, long offered, long answered)
            throws InvalidRecordException {
        List<CostCount> costs = new ArrayList<>();
        Set<Integer> named = new HashSet<>();
        for (CostCountProto count : wire) {
            int bin =
                    (int)
                            Checks.within(
                                    "costs.bin",
                                    count.getBin(),
                                    CostCount.LEAST_BIN,
                                    CostCount.GREATEST_BIN);
            if (!named.add(bin)) {
                throw Checks.inconsistent("costs has bin " + bin + " twice; allowed: once");
            }
            costs.add(
                    new CostCount(
                            bin,
                            Checks.within("costs.offered", count.getOffered(), 0, offered),
                            Checks.within("costs.answered", count.getAnswered(), 0, answered),
                            Checks.count("costs.work_micros", count.getWorkMicros())));
        }
        return List.copyOf(costs);
    }

    private static List<MissingCount> missing(String field, List<MissingCountProto> wire, long most)
            throws InvalidRecordException {
        Checks.parts(field, wire.size());
        List<MissingCount> missing = new ArrayList<>(wire.size());
        Set<String> named = new HashSet<>();
        for (MissingCountProto count : wire) {
            String component = Checks.name(field + ".component", count.getComponent());
            if (!named.add(component)) {
                throw Checks.inconsistent(
                        field + " names component '" + component + "' twice; allowed: once");
            }
            missing.add(
                    new MissingCount(
                            component,
                            Checks.within(field + ".answers", count.getAnswers(), 0, most)));
        }
        return List.copyOf(missing);
    }

    static DecisionProto toWire(Decision decision) {
        DecisionProto.Builder wire = DecisionProto.newBuilder();
        for (CostStep step : decision.costOrder()) {
            wire.addCostOrder(
                    CostStepProto.newBuilder().setUpTo(step.upTo()).setFraction(step.fraction()));
        }
        return wire.setController(decision.controller())
                .setScope(decision.scope())
                .setEpoch(decision.epoch())
                .setSequence(decision.sequence())
                .setIssuedAtMillis(decision.issuedAtMillis())
                .setAsOfMillis(decision.asOfMillis())
                .setValidUntilMillis(decision.validUntilMillis())
                .setValue(decision.value())
                .setPrevious(decision.previous())
                .setSamples(decision.samples())
                .setMode(DecisionModeProto.forNumber(decision.mode().ordinal() + 1))
                .setReason(decision.reason())
                .setConfigVersion(decision.configVersion())
                .setMeasured(decision.measured())
                .setLow(decision.low())
                .setHigh(decision.high())
                .setObjective(decision.objective())
                .build();
    }

    static Decision fromWire(DecisionProto wire) throws InvalidRecordException {
        long issuedAt = Checks.millis("issued_at_millis", wire.getIssuedAtMillis());
        return DecisionBuilder.builder()
                .controller(Checks.name("controller", wire.getController()))
                .scope(Checks.text("scope", wire.getScope()))
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
                .value(Checks.fraction("value", wire.getValue()))
                .previous(Checks.fraction("previous", wire.getPrevious()))
                .samples((int) Checks.within("samples", wire.getSamples(), 0, Integer.MAX_VALUE))
                .mode(Checks.constant("mode", wire.getModeValue(), MODES))
                .reason(Checks.text("reason", wire.getReason()))
                .configVersion(Checks.count("config_version", wire.getConfigVersion()))
                .measured(Checks.fraction("measured", wire.getMeasured()))
                .low(Checks.fraction("low", wire.getLow()))
                .high(Checks.fraction("high", wire.getHigh()))
                .objective(Checks.fraction("objective", wire.getObjective()))
                .costOrder(costOrder(wire.getCostOrderList()))
                .build();
    }

    private static List<CostStep> costOrder(List<CostStepProto> wire)
            throws InvalidRecordException {
        List<CostStep> steps = new ArrayList<>(wire.size());
        double least = 0;
        for (CostStepProto step : wire) {
            least =
                    Checks.within(
                            "cost_order.up_to",
                            step.getUpTo(),
                            Math.nextUp(least),
                            Double.MAX_VALUE);
            steps.add(
                    new CostStep(
                            least, Checks.fraction("cost_order.fraction", step.getFraction())));
        }
        return List.copyOf(steps);
    }

    static EpochClaimProto toWire(EpochClaim claim) {
        return EpochClaimProto.newBuilder()
                .setController(claim.controller())
                .setClaimant(claim.claimant())
                .setClaimedAtMillis(claim.claimedAtMillis())
                .build();
    }

    static EpochClaim fromWire(EpochClaimProto wire) throws InvalidRecordException {
        return new EpochClaim(
                Checks.name("controller", wire.getController()),
                Checks.text("claimant", wire.getClaimant()),
                Checks.millis("claimed_at_millis", wire.getClaimedAtMillis()));
    }

    static DeadLetterProto toWire(DeadLetter letter) {
        return DeadLetterProto.newBuilder()
                .setTopic(letter.topic())
                .setPartition(letter.partition())
                .setOffset(letter.offset())
                .setReason(letter.reason().name())
                .setDetail(letter.detail())
                .setKey(ByteString.copyFrom(letter.key()))
                .setPayload(
                        ByteString.copyFrom(
                                letter.payload(),
                                0,
                                Math.min(
                                        letter.payload().length, DeadLetter.MAXIMUM_PAYLOAD_BYTES)))
                .setSeenAtMillis(letter.seenAtMillis())
                .build();
    }

    static DeadLetter fromWire(DeadLetterProto wire) throws InvalidRecordException {
        return new DeadLetter(
                Checks.text("topic", wire.getTopic()),
                (int) Checks.within("partition", wire.getPartition(), 0, Integer.MAX_VALUE),
                Checks.count("offset", wire.getOffset()),
                reason(wire.getReason()),
                wire.getDetail(),
                wire.getKey().toByteArray(),
                wire.getPayload().toByteArray(),
                Checks.millis("seen_at_millis", wire.getSeenAtMillis()));
    }

    private static RejectionReason reason(String wire) throws InvalidRecordException {
        Checks.text("reason", wire);
        for (RejectionReason reason : RejectionReason.values()) {
            if (reason.name().equals(wire)) {
                return reason;
            }
        }
        throw new InvalidRecordException(
                RejectionReason.IMPOSSIBLE_TEXT,
                "reason is '"
                        + wire
                        + "'; allowed: one of "
                        + Arrays.toString(RejectionReason.values()));
    }
}
