package io.kipimo.cli.whatif;

import io.kipimo.core.admission.AdmissionAccount;
import io.kipimo.core.admission.AdmissionLoop;
import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.guard.Controller;
import io.kipimo.core.guard.StepContext;
import io.kipimo.core.sampling.SamplingAccount;
import io.kipimo.core.sampling.SamplingLoop;
import io.kipimo.core.sampling.SamplingMemory;
import io.kipimo.core.whatif.ControlReplay;
import io.kipimo.core.whatif.RecordedInvocation;
import io.kipimo.core.whatif.RecordedInvocations;
import io.kipimo.core.whatif.RecordedLock;
import io.kipimo.core.whatif.Replayed;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The result of deriving a recorded decision again.
 *
 * @param derived the derived decision; empty: none was derived
 * @param account explanation in words, one sentence a line; empty without {@code derived}
 * @param sentence the verdict in words
 */
record Explanation(ExplanationVerdict verdict, Optional<Decision> derived, List<String> account, String sentence) {
    /** States whether the derived decision is the recorded one. */
    enum ExplanationVerdict {
        SAME,
        OTHER,
        NOT_ENOUGH
    }

    /** Describes one controller's decisions in words. */
    @FunctionalInterface
    private interface Accountant<S> {
        List<String> of(S before, Optional<QualityWindow> window, StepContext<Policy> context, Decision decision);
    }

    /**
     * Derives the decision on an admitted fraction again.
     *
     * @param given the policy of the version that the decision names, for the case that it is not recorded
     */
    static Explanation ofAdmission(RecordedHistory recording, Optional<Policy> given, Decision decision) {
        List<Decision> until = until(recording.admission(), decision);
        AdmissionState start =
                ControlReplay.isWhole(until) ? AdmissionState.initial() : ControlReplay.goingOnFrom(until);
        return of(new AdmissionLoop(), start, AdmissionAccount::of, recording, until, given, decision)
                .withLoss(ownLoss(recording, decision));
    }

    /** Describes the loss of the decided class itself, in its newest window before the decision. */
    private static Optional<String> ownLoss(RecordedHistory recording, Decision decision) {
        return recording.windows().stream()
                .filter(w -> w.scope().equals(decision.scope()) && w.endMillis() <= decision.issuedAtMillis())
                .max(Comparator.comparingLong(QualityWindow::endMillis))
                .flatMap(AdmissionAccount::loss);
    }

    private Explanation withLoss(Optional<String> lost) {
        String line = lost.map(text -> "Loss: " + text).orElse("");
        if (line.isEmpty() || account.isEmpty() || account.contains(line)) {
            return this;
        }
        List<String> lines = new ArrayList<>(account);
        lines.add(line);
        return new Explanation(verdict, derived, List.copyOf(lines), sentence);
    }

    /** Derives the decision on a sampling rate again, as {@link #ofAdmission} does for fractions. */
    static Explanation ofSampling(RecordedHistory recording, Optional<Policy> given, Decision decision) {
        return of(
                new SamplingLoop(),
                SamplingMemory.initial(),
                SamplingAccount::of,
                recording,
                until(recording.sampling(), decision),
                given,
                decision);
    }

    /** Returns the decisions up to this one, and later ones of the same controller step. */
    private static List<Decision> until(List<Decision> decisions, Decision last) {
        return decisions.stream()
                .filter(d -> !d.isNewerThan(last.epoch(), last.sequence())
                        || (d.epoch() == last.epoch() && d.issuedAtMillis() == last.issuedAtMillis()))
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
                    ExplanationVerdict.NOT_ENOUGH,
                    Optional.empty(),
                    List.of(),
                    "NOT-ENOUGH: version %s of the policy is not recorded; pass it with --policy."
                            .formatted(decision.configVersion()));
        }
        List<RecordedInvocation> invocations =
                RecordedInvocations.recorded(recording.windows(), until, new RecordedLock(recording.replication()));
        List<Replayed<S>> replayed = ControlReplay.replay(
                controller,
                start,
                invocation ->
                        policy(recording, given, invocation.policyVersion()).orElse(policy.get()),
                invocations);
        for (int i = replayed.size() - 1; i >= 0; i--) {
            for (Decision derived : replayed.get(i).decisions()) {
                if (derived.scope().equals(decision.scope())
                        && derived.epoch() == decision.epoch()
                        && derived.issuedAtMillis() == decision.issuedAtMillis()) {
                    Replayed<S> run = replayed.get(i);
                    return verdictOf(
                            decision,
                            derived,
                            accountant.of(run.before(), run.window(), run.context(), derived),
                            unknowns(recording, given, until, decision));
                }
            }
        }
        List<String> unknowns = unknowns(recording, given, until, decision);
        return new Explanation(
                unknowns.isEmpty() ? ExplanationVerdict.OTHER : ExplanationVerdict.NOT_ENOUGH,
                Optional.empty(),
                List.of(),
                unknowns.isEmpty()
                        ? "OTHER: the controller makes no decision at this step."
                        : "NOT-ENOUGH: " + String.join("; ", unknowns) + ".");
    }

    private static Explanation verdictOf(
            Decision recorded, Decision derived, List<String> account, List<String> unknowns) {
        List<String> differences = differences(recorded, derived);
        if (differences.isEmpty()) {
            return new Explanation(
                    ExplanationVerdict.SAME,
                    Optional.of(derived),
                    account,
                    "SAME: the inputs lead to the recorded decision.");
        }
        String how = String.join(", ", differences);
        return unknowns.isEmpty()
                ? new Explanation(
                        ExplanationVerdict.OTHER,
                        Optional.of(derived),
                        account,
                        "OTHER: the inputs lead to another decision: " + how + ".")
                : new Explanation(
                        ExplanationVerdict.NOT_ENOUGH,
                        Optional.of(derived),
                        account,
                        "NOT-ENOUGH: the inputs lead to another decision (%s), but %s."
                                .formatted(how, String.join("; ", unknowns)));
    }

    private static Optional<Policy> policy(RecordedHistory recording, Optional<Policy> given, long version) {
        // Accept any version, because the user chose the file, which need not state its version.
        return recording.policy(version).or(() -> given);
    }

    /** Reasons why a different result does not prove the recorded decision wrong. */
    private static List<String> unknowns(
            RecordedHistory recording, Optional<Policy> given, List<Decision> until, Decision decision) {
        List<String> unknowns = new ArrayList<>();
        if (!ControlReplay.isWhole(until)) {
            unknowns.add("earlier decisions and what the controller had learned are not recorded");
        } else if (until.stream().mapToLong(Decision::epoch).distinct().count() > 1) {
            unknowns.add("the job was restarted, and its restored state is not recorded");
        }
        if (until.stream().mapToLong(Decision::configVersion).distinct().anyMatch(version -> policy(
                        recording, given, version)
                .isEmpty())) {
            unknowns.add("an earlier policy is not recorded");
        }
        boolean dependsOnTrials = decision.controller().equals(Decision.ADMISSION)
                && (!recording.replication().isEmpty() || until.stream().anyMatch(WhatIf::awaitedTrial));
        if (dependsOnTrials && !RecordedLock.isWhole(recording.replication())) {
            unknowns.add("decisions on replication, whose trials admission waits for, are not recorded");
        }
        if (recording.policy(decision.configVersion()).isEmpty()) {
            unknowns.add("the policy is the given one, not the recorded one");
        }
        if (decision.asOfMillis() != decision.issuedAtMillis()
                && decision.asOfMillis() > 0
                && recording.windows().stream().noneMatch(w -> w.endMillis() == decision.asOfMillis())) {
            unknowns.add("the window that it used is not recorded");
        }
        return unknowns;
    }

    /** Compares all figures except the sequence number, which depends on the start of the recording. */
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
        difference(differences, "valid until", recorded.validUntilMillis(), derived.validUntilMillis());
        return differences;
    }

    private static void difference(List<String> differences, String name, Object recorded, Object derived) {
        if (!recorded.equals(derived)) {
            differences.add(name + " is " + recorded + " and the derived value is " + derived);
        }
    }
}
