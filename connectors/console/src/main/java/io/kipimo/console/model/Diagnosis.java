package io.kipimo.console.model;

import io.kipimo.console.model.QualityHistory.RunCondition;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.quality.window.Cause;
import io.kipimo.core.quality.window.ClassEvidence;
import io.kipimo.core.quality.window.Judgement;
import io.kipimo.core.quality.window.Verdict;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A {@link Judgement} in sentences for people: since when it holds, which component is the cause, and what Kipimo did
 * about it.
 *
 * @param sinceMillis epoch milliseconds; no earlier than the oldest data that the console has
 * @param sentence one or more sentences
 */
record Diagnosis(Verdict verdict, long sinceMillis, String sentence) {
    private static final long RECENT_MOVE_MILLIS = 600_000;

    private record DiagnosisFinding(long sinceMillis, String sentence) {}

    /**
     * Diagnoses a class.
     *
     * @param readUntilMillis time until which the console has read everything that was written
     */
    static Diagnosis of(ServiceState service, ClassState c, long readUntilMillis, long nowMillis) {
        ClassEvidence evidence = c.evidence(service, readUntilMillis);
        Judgement judgement = Judgement.of(evidence, nowMillis);
        List<DiagnosisFinding> findings = judgement.causes().stream()
                .map(cause -> finding(cause, service, c, evidence, nowMillis))
                .toList();
        Verdict verdict = judgement.verdict();
        boolean isJudged = verdict == Verdict.WRONG || verdict == Verdict.UNCERTAIN || verdict == Verdict.FINE;
        String sentences = String.join(
                " ", findings.stream().map(DiagnosisFinding::sentence).toList());
        return new Diagnosis(
                verdict,
                findings.stream().mapToLong(DiagnosisFinding::sinceMillis).min().orElseThrow(),
                unusable(service)
                        + sentences
                        + (isJudged ? remedy(service, nowMillis).orElse("") : ""));
    }

    /**
     * Says why the quality job cannot use the policy; empty if it can. This text comes first, because without a usable
     * policy nothing is measured.
     */
    private static String unusable(ServiceState service) {
        return service.policyProblem()
                .map(problem -> "The quality job cannot use version %s of the policy: %s. "
                        .formatted(service.policy().orElseThrow().version(), Names.printable(problem)))
                .orElse("");
    }

    /** Describes a cause. The evidence shows the cause, so the figures that its text needs are present. */
    private static DiagnosisFinding finding(
            Cause cause, ServiceState service, ClassState c, ClassEvidence e, long nowMillis) {
        Optional<QualityWindow> window = e.window();
        long endMillis = window.map(QualityWindow::endMillis).orElse(0L);
        return switch (cause) {
            case BELOW_OBJECTIVE -> {
                long since = c.history().since(RunCondition.BELOW_OBJECTIVE).orElse(endMillis);
                yield new DiagnosisFinding(
                        since,
                        "Quality is %s, below its objective %s for %s%s."
                                .formatted(
                                        interval(window.get()),
                                        DisplayText.quality(e.objective()),
                                        DisplayText.span(nowMillis - since),
                                        costliest(c, window.get())));
            }
            case MANY_EXPIRED -> expired(service, c, window.get(), nowMillis);
            case LEASE_ENDED -> lapsed(service, c, nowMillis);
            case CONTROLLER_HELD -> {
                long since = e.control().heldSinceMillis();
                yield new DiagnosisFinding(
                        since,
                        "The controller is held for %s%s"
                                .formatted(
                                        DisplayText.span(nowMillis - since),
                                        because(e.control().newest().get())));
            }
            case BURNS_FAST ->
                new DiagnosisFinding(
                        c.verdictSinceMillis,
                        "The error budget burns %s times as fast as it may; %s is left."
                                .formatted(
                                        DisplayText.fixed(c.budget.longWindow().rate(), 1),
                                        DisplayText.percent(Math.max(0, c.budget.remaining()))));
            case NOT_READ ->
                new DiagnosisFinding(
                        e.readUntilMillis(),
                        e.readUntilMillis() == 0
                                ? "The console still reads its topics: nothing is known yet."
                                : ("The console knows nothing newer than %s: Kafka does not answer, or the console is "
                                                + "behind.")
                                        .formatted(DisplayText.span(nowMillis - e.readUntilMillis())));
            case NO_WINDOW ->
                new DiagnosisFinding(
                        endMillis,
                        "Queries are answered, but no quality window %s: the quality job does not run, or is behind."
                                .formatted(
                                        endMillis == 0
                                                ? "came"
                                                : "came for " + DisplayText.span(nowMillis - endMillis)));
            case NOT_MEASURABLE -> {
                long since = c.history().since(RunCondition.NOT_MEASURABLE).orElse(endMillis);
                yield new DiagnosisFinding(
                        since,
                        measurable(window.get())
                                + ", for "
                                + DisplayText.span(nowMillis - since)
                                + reasons(window.get())
                                + ".");
            }
            case NO_ESTIMATE -> notEnough(c, window.get(), nowMillis);
            case STRADDLES_OBJECTIVE, KEEPS_OBJECTIVE -> quality(cause, c, e);
            case NO_QUERIES -> idle(c, nowMillis);
        };
    }

    private static String costliest(ClassState c, QualityWindow window) {
        return c.costliest()
                .map(b -> "; %s costs most, %s a query"
                        .formatted(b.component(), DisplayText.quality(ClassState.lossPerQuery(window, b))))
                .orElse("");
    }

    private static DiagnosisFinding expired(ServiceState service, ClassState c, QualityWindow window, long nowMillis) {
        long since = c.history().since(RunCondition.MANY_EXPIRED).orElse(window.endMillis());
        return new DiagnosisFinding(
                since,
                ("%s of the measured queries expired before all their results were in, for %s: how "
                                + "good they were is not known%s")
                        .formatted(
                                DisplayText.percent((double) window.expired() / window.samples()),
                                DisplayText.span(nowMillis - since),
                                isReplayed(service)
                                        ? " (without a replay; the gateway's replays_failed says why)."
                                        : "."));
    }

    /** Returns whether the policy takes mature answers from replays. */
    private static boolean isReplayed(ServiceState service) {
        return service.policy()
                .filter(p -> p.merge().kind() == MergeKind.REPLAYED_ANSWERS)
                .isPresent();
    }

    private static DiagnosisFinding lapsed(ServiceState service, ClassState c, long nowMillis) {
        Decision d = c.decisions.newest().orElseThrow();
        Optional<ClassPolicy> policy = service.policy(c).filter(p -> d.mode().isEffective());
        return new DiagnosisFinding(
                d.validUntilMillis(),
                "No decision is valid: the lease of the last one ended %s ago%s."
                        .formatted(
                                DisplayText.span(nowMillis - d.validUntilMillis()),
                                policy.map(p -> ", and each service goes to the safe fraction that"
                                                + " it declares (the policy says "
                                                + DisplayText.percent(p.safeFraction())
                                                + ")")
                                        .orElse("")));
    }

    private static DiagnosisFinding idle(ClassState c, long nowMillis) {
        long last = Math.max(
                c.lastQueriesMillis,
                c.history().newest().map(QualityWindow::endMillis).orElse(0L));
        return new DiagnosisFinding(
                last,
                last == 0
                        ? "No queries were seen; if some were sent through a gateway, its log and its"
                                + " metric passed say which ones it does not measure."
                        : "No queries for " + DisplayText.span(nowMillis - last) + ".");
    }

    private static DiagnosisFinding notEnough(ClassState c, QualityWindow window, long nowMillis) {
        long since = c.history().since(RunCondition.NOT_ENOUGH).orElse(window.endMillis());
        return new DiagnosisFinding(
                since,
                "Too few measurements to tell, for %s: %s in %s."
                        .formatted(
                                DisplayText.span(nowMillis - since),
                                measured(window),
                                DisplayText.span(window.endMillis() - window.startMillis())));
    }

    private static String measured(QualityWindow window) {
        if (window.answered() == 0) {
            return "no query was answered";
        }
        return window.timedOut() == 0
                ? "%s of %s answers were measured".formatted(window.samples(), window.answered())
                : "%s of %s degraded queries were measured".formatted(window.degradedSamples(), window.timedOut());
    }

    private static DiagnosisFinding quality(Cause cause, ClassState c, ClassEvidence evidence) {
        QualityWindow window = evidence.window().get();
        boolean isFine = cause == Cause.KEEPS_OBJECTIVE;
        long since = c.history()
                .since(isFine ? RunCondition.FINE : RunCondition.UNCERTAIN)
                .orElse(window.endMillis());
        String relation = evidence.objective() == 0
                ? ""
                : (isFine ? ", above its objective " : ", which may be above or below its objective ")
                        + DisplayText.quality(evidence.objective());
        return new DiagnosisFinding(
                since,
                "Quality is "
                        + interval(window)
                        + relation
                        + costliest(c, window)
                        + (window.measurableShare() < 1 ? ". " + measurable(window) + reasons(window) : "")
                        + ".");
    }

    private static String measurable(QualityWindow window) {
        double share = window.measurableShare();
        return share == 0
                ? "None of the answers can be measured"
                : "Only " + DisplayText.fixed(Math.min(99.9, 100 * share), 1) + " % of the answers can be measured";
    }

    /**
     * A text that begins with a colon: the reasons of the unmeasurable answers, most frequent first, and advice on the
     * first one. Empty if there are no counts.
     */
    private static String reasons(QualityWindow window) {
        List<Map.Entry<Unmeasurable, Long>> most = window.unmeasurable().entrySet().stream()
                .sorted(Map.Entry.<Unmeasurable, Long>comparingByValue()
                        .reversed()
                        .thenComparing(Map.Entry.comparingByKey()))
                .toList();
        return most.isEmpty()
                ? ""
                : ": "
                        + most.stream()
                                .map(e -> e.getValue() + " " + e.getKey())
                                .collect(Collectors.joining(", "))
                        + " ("
                        + most.get(0).getKey().advice()
                        + ")";
    }

    private static String interval(QualityWindow window) {
        return window.estimate()
                .map(e -> DisplayText.quality(e.mean())
                        + " ("
                        + DisplayText.quality(e.low())
                        + ".."
                        + DisplayText.quality(e.high())
                        + ")"
                        + onPurpose(window))
                .orElse("not known");
    }

    private static String onPurpose(QualityWindow window) {
        return window.deliberateLoss() == 0
                ? ""
                : ", %s lost on purpose by components that were not asked"
                        .formatted(DisplayText.quality(window.deliberateLoss()));
    }

    /**
     * A text on what Kipimo does for the service, beginning with a blank; empty if no controller steers the service.
     */
    static Optional<String> remedy(ServiceState service, long nowMillis) {
        if (service.policy().isEmpty()) {
            return Optional.empty();
        }
        if (service.policy().get().killSwitch()) {
            return Optional.of(" The kill switch is on: Kipimo steps aside.");
        }
        Optional<ClassState> steered = service.movedLast().or(() -> service.shown().stream()
                .filter(c -> c.decisions.newest().isPresent())
                .reduce((first, last) -> last));
        return steered.map(c -> " " + remedy(service, c, nowMillis));
    }

    private static String remedy(ServiceState service, ClassState c, long nowMillis) {
        Optional<ManualOverride> override =
                service.policy(c).flatMap(ClassPolicy::override).filter(o -> o.isInForce(nowMillis));
        if (override.isPresent()) {
            ManualOverride o = override.get();
            return "%s admits %s of %s%s"
                    .formatted(
                            o.by(),
                            DisplayText.percent(o.fraction()),
                            c.name,
                            o.reason().isEmpty() ? "." : " (" + o.reason() + ").");
        }
        Decision newest = c.decisions.newest().orElseThrow();
        boolean shadow = newest.mode() == DecisionMode.SHADOW;
        Optional<Decision> move = c.decisions
                .lastMove()
                .filter(d -> nowMillis - d.issuedAtMillis() <= RECENT_MOVE_MILLIS && !isInVain(c));
        if (move.isEmpty()) {
            return "Kipimo %s%s of %s%s"
                    .formatted(
                            shadow ? "would admit " : "admits ",
                            DisplayText.percent(newest.value()),
                            c.name,
                            because(newest));
        }
        Decision d = move.get();
        String verb = d.value() < d.previous()
                ? shadow ? "would have cut " : "cut "
                : shadow ? "would have opened " : "opened ";
        return "Kipimo %s%s from %s to %s %s ago%s"
                .formatted(
                        verb,
                        c.name,
                        DisplayText.percent(d.previous()),
                        DisplayText.percent(d.value()),
                        DisplayText.span(nowMillis - d.issuedAtMillis()),
                        because(d));
    }

    /** Returns whether the newest decision says that shedding does not help. */
    static boolean isInVain(ClassState c) {
        return c.decisions
                .newest()
                .filter(d -> d.reason().equals(DecisionReason.SHEDDING_DOES_NOT_HELP.name()))
                .isPresent();
    }

    private static String because(Decision decision) {
        return " (" + DisplayText.inside(DisplayText.reason(decision.reason())) + ").";
    }
}
