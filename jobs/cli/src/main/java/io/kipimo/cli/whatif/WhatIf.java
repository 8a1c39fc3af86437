package io.kipimo.cli.whatif;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.core.admission.AdmissionLoop;
import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.control.ControlWindows;
import io.kipimo.core.control.Controller;
import io.kipimo.core.guard.Reason;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.core.sampling.adaptive.SamplingLoop;
import io.kipimo.core.sampling.adaptive.SamplingMemory;
import io.kipimo.core.whatif.ClassOutcome;
import io.kipimo.core.whatif.ControlReplay;
import io.kipimo.core.whatif.MeasurementReplay;
import io.kipimo.core.whatif.OtherDeadline;
import io.kipimo.core.whatif.Outcomes;
import io.kipimo.core.whatif.RecordedEvents;
import io.kipimo.core.whatif.RecordedInvocation;
import io.kipimo.core.whatif.RecordedInvocations;
import io.kipimo.core.whatif.RecordedLock;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.WindowKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Puts the question to a recording. */
final class WhatIf {
    /** From the end of a control batch to the decision on it, where no decision tells. */
    private static final long USUAL_LAG_MILLIS = 1_000;

    /** What one class got, and would have got. */
    record Fate(ClassOutcome then, double rejected, ClassOutcome now) {}

    /** One decision beside the one that was taken in its place. */
    record Pair(Optional<Decision> then, Decision now) {
        boolean isAlike() {
            return then.filter(
                            d ->
                                    d.value() == now.value()
                                            && d.mode() == now.mode()
                                            && d.reason().equals(now.reason()))
                    .isPresent();
        }
    }

    /**
     * The answer.
     *
     * @param batches control batches of the highest class that were decided on
     * @param answers that were measured anew; 0: the windows are as recorded
     * @param decided recorded decisions on admission
     * @param lagMillis that was assumed; empty: runs are those of the recorded decisions
     * @param fates by class, as the policy names them
     */
    record Answer(
            Policy policy,
            long fromMillis,
            long untilMillis,
            int batches,
            int answers,
            int decided,
            OptionalLong lagMillis,
            Map<String, Fate> fates,
            List<Pair> admission,
            List<Pair> sampling,
            List<String> notes) {
        /** Whether decisions were recorded. */
        boolean wasDecided() {
            return decided > 0;
        }

        /** Whether recorded decisions would have been others; false where none were recorded. */
        boolean differs() {
            return lagMillis.isEmpty() && !admission.stream().allMatch(Pair::isAlike);
        }
    }

    private final RecordedHistory recording;
    private final Policy policy;
    private final OptionalInt deadlineMillis;
    private final OptionalLong lagMillis;
    private final List<String> notes = new ArrayList<>();

    /**
     * @param lagMillis from the end of a control batch to the decision on it; empty: as recorded
     */
    WhatIf(
            RecordedHistory recording,
            Policy policy,
            OptionalInt deadlineMillis,
            OptionalLong lagMillis) {
        this.recording = recording;
        this.policy = policy;
        this.deadlineMillis = deadlineMillis;
        this.lagMillis = lagMillis;
    }

    /**
     * Empty if there is nothing to decide on.
     *
     * @throws InputException if the recording cannot answer this
     */
    Optional<Answer> answer() {
        Policy was = recording.newestPolicy().orElse(policy);
        boolean measuresAnew = measuresAnew(was);
        RecordedEvents wanted = measuresAnew ? wantedEvents() : recording.events();
        List<QualityWindow> windows =
                measuresAnew
                        ? MeasurementReplay.replay(policy, wanted).windows()
                        : recording.windows();
        List<QualityWindow> batches = windows.stream().filter(w -> steers(w, policy)).toList();
        if (batches.isEmpty()) {
            return Optional.empty();
        }
        List<QualityWindow> before =
                recording.windows().stream().anyMatch(w -> steers(w, was))
                        ? recording.windows()
                        : MeasurementReplay.replay(was, recording.events()).windows();
        boolean asRun = !measuresAnew && lagMillis.isEmpty() && !recording.admission().isEmpty();
        long lag =
                lagMillis.orElseGet(
                        () ->
                                RecordedInvocations.lagMillis(recording.admission())
                                        .orElse(USUAL_LAG_MILLIS));
        List<Decision> admission = admission(windows, asRun, lag);
        List<Decision> sampling = sampling(windows, asRun, lag);
        Map<String, Fate> fates = new LinkedHashMap<>();
        for (ClassPolicy c : policy.classes()) {
            fates.put(
                    c.name(),
                    new Fate(
                            Outcomes.of(
                                    was,
                                    was.classPolicy(c.name()).orElse(c),
                                    before,
                                    of(recording.admission(), c)),
                            Outcomes.rejectedShare(was, c, before),
                            Outcomes.of(policy, c, windows, of(admission, c))));
        }
        note(measuresAnew, asRun);
        return Optional.of(
                new Answer(
                        policy,
                        batches.stream().mapToLong(QualityWindow::startMillis).min().orElseThrow(),
                        batches.stream().mapToLong(QualityWindow::endMillis).max().orElseThrow(),
                        batches.size(),
                        measuresAnew ? wanted.answers().size() : 0,
                        recording.admission().size(),
                        asRun ? OptionalLong.empty() : OptionalLong.of(lag),
                        fates,
                        pairs(recording.admission(), admission, asRun),
                        pairs(recording.sampling(), sampling, asRun),
                        List.copyOf(notes)));
    }

    private List<Decision> admission(List<QualityWindow> windows, boolean asRun, long lag) {
        AdmissionState start =
                asRun && !ControlReplay.isWhole(recording.admission())
                        ? ControlReplay.goingOnFrom(recording.admission())
                        : AdmissionState.initial();
        return decisions(new AdmissionLoop(), start, windows, recording.admission(), asRun, lag);
    }

    private List<Decision> sampling(List<QualityWindow> windows, boolean asRun, long lag) {
        return decisions(
                new SamplingLoop(),
                SamplingMemory.initial(),
                windows,
                recording.sampling(),
                asRun && !recording.sampling().isEmpty(),
                lag);
    }

    private <S> List<Decision> decisions(
            Controller<S, QualityWindow, Decision, Policy> controller,
            S start,
            List<QualityWindow> windows,
            List<Decision> recorded,
            boolean asRun,
            long lag) {
        RecordedLock lock = new RecordedLock(recording.replication());
        List<RecordedInvocation> moments =
                asRun
                        ? RecordedInvocations.recorded(windows, recorded, lock)
                        : RecordedInvocations.assumed(
                                windows, lock, lag, policy.admission().periodMillis());
        return ControlReplay.decisions(
                ControlReplay.replay(controller, start, moment -> policy, moments));
    }

    /** Windows as recorded will do unless the question changes what is in them. */
    private boolean measuresAnew(Policy was) {
        boolean hasWindows = recording.windows().stream().anyMatch(w -> steers(w, policy));
        boolean changesWindows =
                deadlineMillis.isPresent()
                        || (policy.sampling().fixedRate() > 0
                                && policy.sampling().fixedRate() != was.sampling().fixedRate())
                        || !Measuring.of(policy).equals(Measuring.of(was));
        boolean hasEvents =
                !recording.events().answers().isEmpty()
                        && !recording.events().observations().isEmpty();
        if (hasWindows && changesWindows && !hasEvents) {
            throw new InputException(
                    "the policy or the deadline changes what is measured, which needs recorded"
                            + " answers, partials and observations; given are only windows");
        }
        return hasEvents && (!hasWindows || changesWindows);
    }

    /** What of a policy decides what is in the windows. */
    private record Measuring(
            List<String> metrics,
            Object merge,
            int topK,
            long expirationWindowMillis,
            long windowMillis,
            long slideMillis,
            int batchQueries,
            long periodMillis) {
        static Measuring of(Policy p) {
            return new Measuring(
                    p.metrics(),
                    p.merge(),
                    p.topK(),
                    p.expirationWindowMillis(),
                    p.windowMillis(),
                    p.slideMillis(),
                    p.admission().batchQueries(),
                    p.admission().periodMillis());
        }
    }

    private RecordedEvents wantedEvents() {
        RecordedEvents events = recording.events();
        double rate = policy.sampling().fixedRate();
        if (rate > 0) {
            events =
                    new RecordedEvents(
                            events.answers().stream()
                                    .filter(a -> ConsistentSampling.isSampled(a.queryId(), rate))
                                    .toList(),
                            events.partials().stream()
                                    .filter(p -> ConsistentSampling.isSampled(p.queryId(), rate))
                                    .toList(),
                            events.observations());
            notes.add(
                    "Of a sampling rate above the recorded one nothing more is known than was"
                            + " recorded.");
        }
        if (deadlineMillis.isEmpty()) {
            return events;
        }
        if (policy.merge().kind() == MergeKind.REPLAYED_ANSWERS) {
            throw new InputException(
                    "merge.kind is REPLAYED_ANSWERS; allowed with --deadline: one that merges"
                            + " partial results, which can be merged again for another deadline");
        }
        if (deadlineMillis.getAsInt() > policy.expirationWindowMillis()) {
            throw new InputException(
                    "--deadline is "
                            + deadlineMillis.getAsInt()
                            + " ms; allowed: at most the expiration window of "
                            + policy.expirationWindowMillis()
                            + " ms, beyond which no result is known");
        }
        return OtherDeadline.at(events, deadlineMillis.getAsInt());
    }

    private void note(boolean measuresAnew, boolean asRun) {
        notes.add(
                "Load and components are as recorded: what other fractions would have done to them"
                        + " is for kipimo simulate.");
        if (asRun && !ControlReplay.isWhole(recording.admission())) {
            notes.add(
                    "The recording does not begin with the controller's first decision: it goes on"
                            + " from what was in force, without what was learned before.");
        }
        if (!RecordedLock.isWhole(recording.replication())
                && recording.admission().stream().anyMatch(WhatIf::awaitedTrial)) {
            notes.add(
                    "Not all decisions on replication are recorded: a decision that waited for a"
                            + " trial then may not wait now.");
        }
        if (measuresAnew && !recording.admission().isEmpty()) {
            notes.add(
                    "Measured anew, control batches end at other moments: decisions are compared"
                            + " by what they come to.");
        }
        if (policy.admission().shadow()) {
            notes.add(
                    "The policy is in shadow mode, nothing that it decides comes into force;"
                            + " --active shows what would.");
        }
    }

    /** Side by side, those of one class at one moment. */
    private static List<Pair> pairs(List<Decision> then, List<Decision> now, boolean asRun) {
        Map<List<Object>, Deque<Decision>> byMoment = new HashMap<>();
        if (asRun) {
            new LinkedHashSet<>(then)
                    .forEach(
                            d ->
                                    byMoment.computeIfAbsent(moment(d), m -> new ArrayDeque<>())
                                            .add(d));
        }
        return now.stream()
                .map(
                        d ->
                                new Pair(
                                        Optional.ofNullable(
                                                byMoment.getOrDefault(moment(d), new ArrayDeque<>())
                                                        .poll()),
                                        d))
                .toList();
    }

    private static List<Object> moment(Decision d) {
        return List.of(d.scope(), d.epoch(), d.issuedAtMillis());
    }

    private List<Decision> of(List<Decision> decisions, ClassPolicy c) {
        String scope = policy.service() + '/' + c.name();
        return decisions.stream()
                .filter(d -> d.scope().equals(scope))
                .sorted(
                        Comparator.comparingLong(Decision::epoch)
                                .thenComparingLong(Decision::sequence))
                .toList();
    }

    private static boolean steers(QualityWindow window, Policy policy) {
        return ControlWindows.steers(window, WindowKind.BATCH, policy);
    }

    /** Whether the admission controller would have opened, but for a trial of replication. */
    static boolean awaitedTrial(Decision decision) {
        return decision.reason().equals(Reason.HELD_AWAITING_TURN.name());
    }
}
