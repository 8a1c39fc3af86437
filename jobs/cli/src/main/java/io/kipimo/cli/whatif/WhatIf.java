package io.kipimo.cli.whatif;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.core.admission.AdmissionLoop;
import io.kipimo.core.admission.AdmissionState;
import io.kipimo.core.guard.ControlWindows;
import io.kipimo.core.guard.Controller;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.sampling.ConsistentSampling;
import io.kipimo.core.sampling.SamplingLoop;
import io.kipimo.core.sampling.SamplingMemory;
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
import io.kipimo.schemas.quality.Answer;
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

/** Answers a what-if question from a recording: what other policies would have decided. */
final class WhatIf {
    /** Assumed time from the end of a control batch to its decision, if no recorded decision shows it. */
    private static final long USUAL_LAG_MILLIS = 1_000;

    /**
     * Outcome of one class: as recorded, and as derived.
     *
     * @param then outcome of the recorded decisions
     * @param rejected share of queries that were turned away, as recorded
     * @param now outcome of the derived decisions
     */
    record ClassFate(ClassOutcome then, double rejected, ClassOutcome now) {}

    /** A derived decision ({@code now}) and the recorded one ({@code then}), if there is one. */
    record DecisionPair(Optional<Decision> then, Decision now) {
        boolean isAlike() {
            return then.filter(d -> d.value() == now.value()
                            && d.mode() == now.mode()
                            && d.reason().equals(now.reason()))
                    .isPresent();
        }
    }

    /** Control batches of the highest class: their number, the start of the first and the end of the last. */
    record SteeringBatches(int count, long fromMillis, long untilMillis) {
        private static SteeringBatches of(List<QualityWindow> batches) {
            return new SteeringBatches(
                    batches.size(),
                    batches.stream().mapToLong(QualityWindow::startMillis).min().orElseThrow(),
                    batches.stream().mapToLong(QualityWindow::endMillis).max().orElseThrow());
        }
    }

    /**
     * Answer to a what-if question.
     *
     * @param batches control batches on which the controller decides
     * @param answers number of answers that were measured again; 0: the recorded windows were used
     * @param decided number of recorded decisions on admission
     * @param lagMillis assumed time from a batch's end to its decision; empty: decisions keep their recorded times
     * @param fates outcomes by class, in the order of the policy
     */
    record WhatIfAnswer(
            Policy policy,
            SteeringBatches batches,
            int answers,
            int decided,
            OptionalLong lagMillis,
            Map<String, ClassFate> fates,
            List<DecisionPair> admission,
            List<DecisionPair> sampling,
            List<String> notes) {
        /** Tells whether there are recorded decisions on admission. */
        boolean wasDecided() {
            return decided > 0;
        }

        /**
         * Tells whether the derived decisions differ from the recorded ones. False if their times are assumed, because
         * then they cannot be compared.
         */
        boolean differs() {
            return lagMillis.isEmpty() && !admission.stream().allMatch(DecisionPair::isAlike);
        }
    }

    private final RecordedHistory recording;
    private final Policy policy;
    private final OptionalInt deadlineMillis;
    private final OptionalLong lagMillis;
    private final List<String> notes = new ArrayList<>();

    /** @param lagMillis time from the end of a control batch to its decision; empty: as recorded */
    WhatIf(RecordedHistory recording, Policy policy, OptionalInt deadlineMillis, OptionalLong lagMillis) {
        this.recording = recording;
        this.policy = policy;
        this.deadlineMillis = deadlineMillis;
        this.lagMillis = lagMillis;
    }

    /**
     * Answers the question; empty if there is no control batch.
     *
     * @throws InputException if the recording is not sufficient
     */
    Optional<WhatIfAnswer> answer() {
        Policy was = recording.newestPolicy().orElse(policy);
        boolean measuresAnew = measuresAnew(was);
        RecordedEvents wanted = measuresAnew ? wantedEvents() : recording.events();
        List<QualityWindow> windows = measuresAnew
                ? MeasurementReplay.replay(policy, wanted, recording.partitionOf())
                        .windows()
                : recording.windows();
        List<QualityWindow> batches =
                windows.stream().filter(w -> steers(w, policy)).toList();
        if (batches.isEmpty()) {
            return Optional.empty();
        }
        List<QualityWindow> before = recording.windows().stream().anyMatch(w -> steers(w, was))
                ? recording.windows()
                : MeasurementReplay.replay(was, recording.events(), recording.partitionOf())
                        .windows();
        boolean asRun =
                !measuresAnew && lagMillis.isEmpty() && !recording.admission().isEmpty();
        long lag = lagMillis.orElseGet(
                () -> RecordedInvocations.lagMillis(recording.admission()).orElse(USUAL_LAG_MILLIS));
        boolean isAsWas = asRun && policy.withVersion(was.version()).equals(was);
        List<Decision> admission = admission(windows, asRun, isAsWas, lag);
        List<Decision> sampling = sampling(windows, asRun, lag);
        Map<String, ClassFate> fates = new LinkedHashMap<>();
        for (ClassPolicy c : policy.classes()) {
            fates.put(
                    c.name(),
                    new ClassFate(
                            Outcomes.of(was, was.classPolicy(c.name()).orElse(c), before, of(recording.admission(), c)),
                            Outcomes.rejectedShare(was, c, before),
                            Outcomes.of(policy, c, windows, of(admission, c))));
        }
        note(measuresAnew, asRun, isAsWas);
        return Optional.of(new WhatIfAnswer(
                policy,
                SteeringBatches.of(batches),
                measuresAnew ? wanted.answers().size() : 0,
                recording.admission().size(),
                asRun ? OptionalLong.empty() : OptionalLong.of(lag),
                fates,
                pairs(recording.admission(), admission, asRun),
                pairs(recording.sampling(), sampling, asRun),
                List.copyOf(notes)));
    }

    private List<Decision> admission(List<QualityWindow> windows, boolean asRun, boolean isAsWas, long lag) {
        AdmissionState start = asRun && !ControlReplay.isWhole(recording.admission())
                ? ControlReplay.goingOnFrom(recording.admission())
                : AdmissionState.initial();
        AdmissionLoop loop = new AdmissionLoop();
        return decisions(
                isAsWas ? loop : ControlReplay.openLoop(loop), start, windows, recording.admission(), asRun, lag);
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
        List<RecordedInvocation> invocations = asRun
                ? RecordedInvocations.recorded(windows, recorded, lock)
                : RecordedInvocations.assumed(
                        windows, lock, lag, policy.admission().periodMillis());
        return ControlReplay.decisions(ControlReplay.replay(controller, start, invocation -> policy, invocations));
    }

    /**
     * Tells whether answers must be measured again. Recorded windows suffice unless the question changes their
     * contents.
     */
    private boolean measuresAnew(Policy was) {
        boolean hasWindows = recording.windows().stream().anyMatch(w -> steers(w, policy));
        boolean changesWindows = deadlineMillis.isPresent()
                || (policy.sampling().fixedRate() > 0
                        && policy.sampling().fixedRate() != was.sampling().fixedRate())
                || !MeasuringTerms.of(policy).equals(MeasuringTerms.of(was));
        boolean hasEvents = !recording.events().answers().isEmpty()
                && !recording.events().observations().isEmpty();
        InputException.throwIf(
                hasWindows && changesWindows && !hasEvents,
                "the policy or the deadline changes what is measured, which needs recorded "
                        + "answers, partials and observations; only windows are given");
        return hasEvents && (!hasWindows || changesWindows);
    }

    /** The parts of a policy that determine the contents of windows. */
    private record MeasuringTerms(
            List<String> metrics,
            Object merge,
            int topK,
            long expirationWindowMillis,
            long windowMillis,
            long slideMillis,
            int batchQueries,
            long periodMillis) {
        static MeasuringTerms of(Policy p) {
            return new MeasuringTerms(
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
            List<Answer> answers = events.answers().stream()
                    .filter(a -> ConsistentSampling.isSampled(a.queryId(), rate))
                    .toList();
            if (answers.size() == events.answers().size()) {
                notes.add(
                        "The new sampling rate leaves out no recorded query; queries that it would add are not known.");
            }
            events = new RecordedEvents(
                    answers,
                    events.partials().stream()
                            .filter(p -> ConsistentSampling.isSampled(p.queryId(), rate))
                            .toList(),
                    events.observations());
        }
        if (deadlineMillis.isEmpty()) {
            return events;
        }
        InputException.throwIf(
                policy.merge().kind() == MergeKind.REPLAYED_ANSWERS,
                "merge.kind is REPLAYED_ANSWERS; allowed with --deadline: a kind that merges "
                        + "partial results, because these can be merged again for another deadline");
        InputException.throwIf(
                deadlineMillis.getAsInt() > policy.expirationWindowMillis(),
                ("--deadline is %s ms; allowed: at most the expiration window of %s ms, because later "
                                + "results are not recorded")
                        .formatted(deadlineMillis.getAsInt(), policy.expirationWindowMillis()));
        return OtherDeadline.at(events, deadlineMillis.getAsInt());
    }

    private void note(boolean measuresAnew, boolean asRun, boolean isAsWas) {
        notes.add("Load and components are as recorded; use kipimo simulate for the effect of other fractions on them."
                + (isAsWas
                        ? ""
                        : " The loop is open: recorded quality does not respond to these decisions, so the replay does"
                                + " not find whether shedding helps."));
        if (asRun && !ControlReplay.isWhole(recording.admission())) {
            notes.add("The recording does not begin with the controller's first decision: the replay starts from the "
                    + "fraction in force, without what the controller had learned.");
        }
        if (!RecordedLock.isWhole(recording.replication())
                && recording.admission().stream().anyMatch(WhatIf::awaitedTrial)) {
            notes.add("Not all decisions on replication are recorded: a decision that waited for a "
                    + "trial may not wait in the replay.");
        }
        if (measuresAnew && !recording.admission().isEmpty()) {
            notes.add("With measurements made again, control batches end at other times: decisions "
                    + "are compared by their result.");
        }
        if (policy.admission().shadow()) {
            notes.add("The policy is in shadow mode, so its decisions are not applied; --active shows their effect.");
        }
    }

    /** Pairs each derived decision with the recorded decision on the same class at the same step. */
    private static List<DecisionPair> pairs(List<Decision> then, List<Decision> now, boolean asRun) {
        Map<List<Object>, Deque<Decision>> byStep = new HashMap<>();
        if (asRun) {
            new LinkedHashSet<>(then).forEach(d -> byStep.computeIfAbsent(stepOf(d), m -> new ArrayDeque<>())
                    .add(d));
        }
        return now.stream()
                .map(d -> new DecisionPair(
                        Optional.ofNullable(byStep.getOrDefault(stepOf(d), new ArrayDeque<>())
                                .poll()),
                        d))
                .toList();
    }

    private static List<Object> stepOf(Decision d) {
        return List.of(d.scope(), d.epoch(), d.issuedAtMillis());
    }

    private List<Decision> of(List<Decision> decisions, ClassPolicy c) {
        String scope = policy.serviceClass(c).toString();
        return decisions.stream()
                .filter(d -> d.scope().equals(scope))
                .sorted(Comparator.comparingLong(Decision::epoch).thenComparingLong(Decision::sequence))
                .toList();
    }

    private static boolean steers(QualityWindow window, Policy policy) {
        return ControlWindows.steers(window, WindowKind.BATCH, policy);
    }

    /** Tells whether the admission controller held a class only because it awaited the end of a replication trial. */
    static boolean awaitedTrial(Decision decision) {
        return decision.reason().equals(DecisionReason.HELD_AWAITING_TURN.name());
    }
}
