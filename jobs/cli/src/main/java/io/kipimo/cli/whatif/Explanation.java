package io.kipimo.cli.whatif;

import io.kipimo.core.admission.AdmissionAccount;
import io.kipimo.core.admission.AdmissionLoop;
import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.control.Controller;
import io.kipimo.core.control.StepContext;
import io.kipimo.core.sampling.adaptive.SamplingAccount;
import io.kipimo.core.sampling.adaptive.SamplingLoop;
import io.kipimo.core.sampling.adaptive.SamplingMemory;
import io.kipimo.core.whatif.ControlReplay;
import io.kipimo.core.whatif.RecordedInvocation;
import io.kipimo.core.whatif.RecordedInvocations;
import io.kipimo.core.whatif.RecordedLock;
import io.kipimo.core.whatif.Replayed;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A recorded decision, derived again.
 *
 * @param derived what came out; empty: nothing did
 * @param account in words, one sentence a line; none without {@code derived}
 * @param sentence of the verdict, for people
 */
record Explanation(
        Verdict verdict, Optional<Decision> derived, List<String> account, String sentence) {
    /** Whether the decision comes out as it was recorded. */
    enum Verdict {
        SAME,
        OTHER,
        NOT_ENOUGH
    }

    /** Tells one controller's decisions in words. */
    @FunctionalInterface
    private interface Accountant<S> {
        List<String> of(
                S before,
                Optional<QualityWindow> window,
                StepContext<Policy> context,
                Decision decision);
    }

    /**
     * Derives an admitted fraction.
     *
     * @param given the policy of the version that the decision names, if it is not recorded
     */
    static Explanation ofAdmission(
            RecordedHistory recording, Optional<Policy> given, Decision decision) {
        List<Decision> until = until(recording.admission(), decision);
        AdmissionState start =
                ControlReplay.isWhole(until)
                        ? AdmissionState.initial()
                        : ControlReplay.goingOnFrom(until);
        return of(
                new AdmissionLoop(),
                start,
                AdmissionAccount::of,
                recording,
                until,
                given,
                decision);
    }

    /** Derives a sampling rate; as {@link #ofAdmission}. */
    static Explanation ofSampling(
            RecordedHistory recording, Optional<Policy> given, Decision decision) {
        return of(
                new SamplingLoop(),
                SamplingMemory.initial(),
                SamplingAccount::of,
                recording,
                until(recording.sampling(), decision),
                given,
                decision);
    }

    /** All decisions of the controller up to those of the same run. */
    private static List<Decision> until(List<Decision> decisions, Decision last) {
        return decisions.stream()
                .filter(
                        d ->
                                !d.isNewerThan(last.epoch(), last.sequence())
                                        || (d.epoch() == last.epoch()
                                                && d.issuedAtMillis() == last.issuedAtMillis()))
                .toList();
    }

    private static <S> Explanation of(
            Controller<S, QualityWindow, Decision, Policy> controller,
            S start,
            Accountant<S> accountant,
            RecordedHistory recording,
            List<Decision> until,
            Optional<Policy> given,
            Decision decision) {
        Optional<Policy> policy = policy(recording, given, decision.configVersion());
        if (policy.isEmpty()) {
            return new Explanation(
                    Verdict.NOT_ENOUGH,
                    Optional.empty(),
                    List.of(),
                    "NOT-ENOUGH: version "
                            + decision.configVersion()
                            + " of the policy is not on record; --policy can give it.");
        }
        List<RecordedInvocation> moments =
                RecordedInvocations.recorded(
                        recording.windows(), until, new RecordedLock(recording.replication()));
        List<Replayed<S>> replayed =
                ControlReplay.replay(
                        controller,
                        start,
                        moment ->
                                policy(recording, given, moment.policyVersion())
                                        .orElse(policy.get()),
                        moments);
        for (int i = replayed.size() - 1; i >= 0; i--) {
            for (Decision derived : replayed.get(i).decisions()) {
                if (derived.scope().equals(decision.scope())
                        && derived.epoch() == decision.epoch()
                        && derived.issuedAtMillis() == decision.issuedAtMillis()) {
                    Replayed<S> run = replayed.get(i);
                    return judged(
                            decision,
                            derived,
                            accountant.of(run.before(), run.window(), run.context(), derived),
                            unknowns(recording, given, until, decision));
                }
            }
        }
        List<String> unknowns = unknowns(recording, given, until, decision);
        return new Explanation(
                unknowns.isEmpty() ? Verdict.OTHER : Verdict.NOT_ENOUGH,
                Optional.empty(),
                List.of(),
                unknowns.isEmpty()
                        ? "OTHER: nothing would have been decided then."
                        : "NOT-ENOUGH: " + String.join("; ", unknowns) + ".");
    }

    private static Explanation judged(
            Decision recorded, Decision derived, List<String> account, List<String> unknowns) {
        List<String> differences = differences(recorded, derived);
        if (differences.isEmpty()) {
            return new Explanation(
                    Verdict.SAME,
                    Optional.of(derived),
                    account,
                    "SAME: derived again from its inputs, the decision comes out as recorded.");
        }
        String how = String.join(", ", differences);
        return unknowns.isEmpty()
                ? new Explanation(
                        Verdict.OTHER,
                        Optional.of(derived),
                        account,
                        "OTHER: the decision does not come out as recorded: " + how + ".")
                : new Explanation(
                        Verdict.NOT_ENOUGH,
                        Optional.of(derived),
                        account,
                        "NOT-ENOUGH: it comes out otherwise ("
                                + how
                                + "), but "
                                + String.join("; ", unknowns)
                                + ".");
    }

    private static Optional<Policy> policy(
            RecordedHistory recording, Optional<Policy> given, long version) {
        // A file need not say its version; who gives one means it.
        return recording.policy(version).or(() -> given);
    }

    /** What keeps a decision that comes out otherwise from being proven wrong. */
    private static List<String> unknowns(
            RecordedHistory recording,
            Optional<Policy> given,
            List<Decision> until,
            Decision decision) {
        List<String> unknowns = new ArrayList<>();
        if (!ControlReplay.isWhole(until)) {
            unknowns.add("decisions before it are not on record, nor what was learned by then");
        } else if (until.stream().mapToLong(Decision::epoch).distinct().count() > 1) {
            unknowns.add("the job was restarted, and what it was restored with is not on record");
        }
        if (until.stream()
                .mapToLong(Decision::configVersion)
                .distinct()
                .anyMatch(version -> policy(recording, given, version).isEmpty())) {
            unknowns.add("a policy that was followed before is not on record");
        }
        boolean dependsOnTrials =
                decision.controller().equals(Decision.ADMISSION)
                        && (!recording.replication().isEmpty()
                                || until.stream().anyMatch(WhatIf::awaitedTrial));
        if (dependsOnTrials && !RecordedLock.isWhole(recording.replication())) {
            unknowns.add("decisions on replication, whose trials it waits for, are not on record");
        }
        if (recording.policy(decision.configVersion()).isEmpty()) {
            unknowns.add("the policy is the given one, not the recorded one");
        }
        if (decision.asOfMillis() != decision.issuedAtMillis()
                && decision.asOfMillis() > 0
                && recording.windows().stream()
                        .noneMatch(w -> w.endMillis() == decision.asOfMillis())) {
            unknowns.add("the window that it is as of is not on record");
        }
        return unknowns;
    }

    /** Of all figures but the number, which the start of a recording changes. */
    private static List<String> differences(Decision recorded, Decision derived) {
        List<String> differences = new ArrayList<>();
        difference(differences, "value", recorded.value(), derived.value());
        difference(differences, "previous", recorded.previous(), derived.previous());
        difference(differences, "mode", recorded.mode(), derived.mode());
        difference(differences, "reason", recorded.reason(), derived.reason());
        difference(differences, "measured", recorded.measured(), derived.measured());
        difference(differences, "low", recorded.low(), derived.low());
        difference(differences, "high", recorded.high(), derived.high());
        difference(differences, "objective", recorded.objective(), derived.objective());
        difference(differences, "samples", recorded.samples(), derived.samples());
        difference(differences, "as of", recorded.asOfMillis(), derived.asOfMillis());
        difference(
                differences,
                "valid until",
                recorded.validUntilMillis(),
                derived.validUntilMillis());
        return differences;
    }

    private static void difference(
            List<String> differences, String name, Object recorded, Object derived) {
        if (!recorded.equals(derived)) {
            differences.add(name + " is " + recorded + " and comes out as " + derived);
        }
    }
}
