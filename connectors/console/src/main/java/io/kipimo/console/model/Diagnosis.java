package io.kipimo.console.model;

import io.kipimo.console.model.QualityHistory.Run;
import io.kipimo.schemas.budget.BudgetVerdict;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.decision.DecisionMode;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ManualOverride;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * Whether something is wrong with a class, since when, which component is the cause, and what
 * Kipimo did about it. A class is wrong if one of these is certain: the high end of the interval is
 * below the objective; more than {@value #EXPIRED_SHARE} of the measured queries EXPIRED; the lease
 * of the newest decision has ended, or a fault has held the controller for {@value #STUCK_MILLIS}
 * ms; the error budget burns fast on both windows. A class with fewer than half of its answers
 * measurable is never fine.
 *
 * @param sinceMillis epoch milliseconds, as far back as the console has seen
 * @param sentence one or more sentences for people
 */
record Diagnosis(Status status, long sinceMillis, String sentence) {
    static final double EXPIRED_SHARE = 0.05;
    static final int EXPIRED_AT_LEAST = 3;
    static final long STUCK_MILLIS = 300_000;

    /** A class counts as in use if its last query is younger. */
    private static final long IN_USE_MILLIS = 30_000;

    /**
     * Greatest delay of a window after its end, in addition to the policy's expiration window and
     * three slides.
     */
    private static final long PATIENCE_MILLIS = 60_000;

    /** Tolerated difference between the clocks of controllers and of the console. */
    private static final long SKEW_MILLIS = 5_000;

    private static final long RECENT_MOVE_MILLIS = 600_000;

    private record Finding(long sinceMillis, String sentence) {}

    static Diagnosis of(ServiceState service, ClassState c, long nowMillis) {
        boolean inUse = nowMillis - c.lastQueriesMillis <= IN_USE_MILLIS;
        Optional<QualityWindow> window =
                c.history().newest().filter(w -> nowMillis - w.endMillis() <= patience(service));
        if (!inUse && (window.isEmpty() || window.get().offered() + window.get().answered() == 0)) {
            return idle(c, nowMillis);
        }
        List<Finding> wrong = wrong(service, c, window, inUse, nowMillis);
        if (!wrong.isEmpty()) {
            long since = wrong.stream().mapToLong(Finding::sinceMillis).min().getAsLong();
            String sentences = String.join(" ", wrong.stream().map(Finding::sentence).toList());
            return new Diagnosis(
                    Status.WRONG, since, sentences + remedy(service, nowMillis).orElse(""));
        }
        if (window.isEmpty()) {
            long since = c.history().newest().map(QualityWindow::endMillis).orElse(0L);
            return new Diagnosis(
                    Status.UNKNOWN,
                    since,
                    "Queries are answered, but no quality window "
                            + (since == 0
                                    ? "came"
                                    : "came for " + DisplayText.span(nowMillis - since))
                            + ": the quality job does not run, or is behind.");
        }
        OptionalLong unmeasurableSince = c.history().since(Run.NOT_MEASURABLE);
        if (unmeasurableSince.isPresent()) {
            return new Diagnosis(
                    Status.UNKNOWN,
                    unmeasurableSince.getAsLong(),
                    measurable(window.get())
                            + ", for "
                            + DisplayText.span(nowMillis - unmeasurableSince.getAsLong())
                            + reasons(window.get())
                            + ".");
        }
        return window.get().estimate().isEmpty()
                ? notEnough(c, window.get(), nowMillis)
                : fine(service, c, window.get(), nowMillis);
    }

    private static long patience(ServiceState service) {
        return PATIENCE_MILLIS
                + service.policy()
                        .map(p -> p.expirationWindowMillis() + 3 * p.slideMillis())
                        .orElse(0L);
    }

    private static List<Finding> wrong(
            ServiceState service,
            ClassState c,
            Optional<QualityWindow> window,
            boolean inUse,
            long nowMillis) {
        List<Finding> findings = new ArrayList<>();
        window.flatMap(w -> belowObjective(c, w, nowMillis)).ifPresent(findings::add);
        window.flatMap(w -> expired(service, c, w, nowMillis)).ifPresent(findings::add);
        if (inUse && service.policy().filter(p -> !p.killSwitch()).isPresent()) {
            lapsed(service, c, nowMillis).ifPresent(findings::add);
            stuck(c, nowMillis).ifPresent(findings::add);
        }
        burning(c, nowMillis).ifPresent(findings::add);
        return findings;
    }

    private static Optional<Finding> belowObjective(
            ClassState c, QualityWindow window, long nowMillis) {
        OptionalLong since = c.history().since(Run.BELOW_OBJECTIVE);
        if (since.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new Finding(
                        since.getAsLong(),
                        "Quality is "
                                + interval(window)
                                + ", below its objective "
                                + DisplayText.quality(window.objective())
                                + " for "
                                + DisplayText.span(nowMillis - since.getAsLong())
                                + costliest(c, window)
                                + "."));
    }

    private static String costliest(ClassState c, QualityWindow window) {
        return c.costliest()
                .map(
                        b ->
                                "; "
                                        + b.component()
                                        + " costs most, "
                                        + DisplayText.quality(ClassState.lossPerQuery(window, b))
                                        + " a query")
                .orElse("");
    }

    private static Optional<Finding> expired(
            ServiceState service, ClassState c, QualityWindow window, long nowMillis) {
        OptionalLong since = c.history().since(Run.MANY_EXPIRED);
        if (since.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                new Finding(
                        since.getAsLong(),
                        DisplayText.percent((double) window.expired() / window.samples())
                                + " of the measured queries expired before all their results were"
                                + " in, for "
                                + DisplayText.span(nowMillis - since.getAsLong())
                                + ": how good they were is not known"
                                + (isReplayed(service)
                                        ? " (without a replay; the gateway's replays_failed says"
                                                + " why)."
                                        : ".")));
    }

    /** Whether a mature answer is the answer of a replay. */
    private static boolean isReplayed(ServiceState service) {
        return service.policy()
                .filter(p -> p.merge().kind() == MergeKind.REPLAYED_ANSWERS)
                .isPresent();
    }

    private static Optional<Finding> lapsed(ServiceState service, ClassState c, long nowMillis) {
        return c.decisions
                .newest()
                .filter(d -> nowMillis > d.validUntilMillis() + SKEW_MILLIS)
                .map(
                        d ->
                                new Finding(
                                        d.validUntilMillis(),
                                        "No decision is valid: the lease of the last one ended "
                                                + DisplayText.span(nowMillis - d.validUntilMillis())
                                                + " ago"
                                                + (d.mode().isEffective()
                                                        ? service.policy(c)
                                                                .map(
                                                                        p ->
                                                                                ", and each service goes to"
                                                                                        + " the safe fraction"
                                                                                        + " that it declares"
                                                                                        + " (the policy says "
                                                                                        + DisplayText
                                                                                                .percent(
                                                                                                        p
                                                                                                                .safeFraction())
                                                                                        + ")")
                                                                .orElse("")
                                                        : "")
                                                + "."));
    }

    private static Optional<Finding> stuck(ClassState c, long nowMillis) {
        long since = c.decisions.stuckSinceMillis();
        boolean lapsed =
                c.decisions
                        .newest()
                        .filter(d -> nowMillis > d.validUntilMillis() + SKEW_MILLIS)
                        .isPresent();
        if (since == 0 || lapsed || nowMillis - since < STUCK_MILLIS) {
            return Optional.empty();
        }
        return Optional.of(
                new Finding(
                        since,
                        "The controller is held for "
                                + DisplayText.span(nowMillis - since)
                                + because(c.decisions.newest().get())));
    }

    private static Optional<Finding> burning(ClassState c, long nowMillis) {
        if (c.budget == null
                || c.budget.verdict() != BudgetVerdict.FAST_BURN
                || nowMillis - c.budget.endMillis() > PATIENCE_MILLIS + STUCK_MILLIS) {
            return Optional.empty();
        }
        return Optional.of(
                new Finding(
                        c.verdictSinceMillis,
                        "The error budget burns "
                                + DisplayText.fixed(c.budget.longWindow().rate(), 1)
                                + " times as fast as it may; "
                                + DisplayText.percent(Math.max(0, c.budget.remaining()))
                                + " is left."));
    }

    private static Diagnosis idle(ClassState c, long nowMillis) {
        long last =
                Math.max(
                        c.lastQueriesMillis,
                        c.history().newest().map(QualityWindow::endMillis).orElse(0L));
        return new Diagnosis(
                Status.IDLE,
                last,
                last == 0
                        ? "No queries were seen; if some were sent through a gateway, its log and its"
                                + " metric passed say which ones it does not measure."
                        : "No queries for " + DisplayText.span(nowMillis - last) + ".");
    }

    private static Diagnosis notEnough(ClassState c, QualityWindow window, long nowMillis) {
        long since = c.history().since(Run.NOT_ENOUGH).orElse(window.endMillis());
        return new Diagnosis(
                Status.UNKNOWN,
                since,
                "Too few measurements to tell, for "
                        + DisplayText.span(nowMillis - since)
                        + ": "
                        + window.degradedSamples()
                        + " of "
                        + window.timedOut()
                        + " degraded queries were measured in "
                        + DisplayText.span(window.endMillis() - window.startMillis())
                        + ".");
    }

    private static Diagnosis fine(
            ServiceState service, ClassState c, QualityWindow window, long nowMillis) {
        long since = c.history().since(Run.FINE).orElse(window.endMillis());
        return new Diagnosis(
                Status.OK,
                since,
                "Quality is "
                        + interval(window)
                        + objective(window)
                        + costliest(c, window)
                        + (window.measurableShare() < 1
                                ? ". " + measurable(window) + reasons(window)
                                : "")
                        + "."
                        + remedy(service, nowMillis).orElse(""));
    }

    private static String measurable(QualityWindow window) {
        double share = window.measurableShare();
        return share == 0
                ? "None of the answers can be measured"
                : "Only "
                        + DisplayText.fixed(Math.min(99.9, 100 * share), 1)
                        + " % of the answers can be measured";
    }

    /**
     * Reasons of the unmeasurable answers, most frequent first, after a colon, and what to do about
     * the first; empty without counts.
     */
    private static String reasons(QualityWindow window) {
        List<Map.Entry<Unmeasurable, Long>> most =
                window.unmeasurable().entrySet().stream()
                        .sorted(
                                Map.Entry.<Unmeasurable, Long>comparingByValue()
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

    private static String objective(QualityWindow window) {
        if (window.objective() == 0) {
            return "";
        }
        boolean surely = window.estimate().get().low() >= window.objective();
        return (surely ? ", above its objective " : ", about its objective ")
                + DisplayText.quality(window.objective());
    }

    private static String interval(QualityWindow window) {
        return window.estimate()
                .map(
                        e ->
                                DisplayText.quality(e.mean())
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
                : ", "
                        + DisplayText.quality(window.deliberateLoss())
                        + " lost on purpose by components that were not asked";
    }

    /** What Kipimo does for the service, after a blank; empty without a controller. */
    static Optional<String> remedy(ServiceState service, long nowMillis) {
        if (service.policy().isEmpty()) {
            return Optional.empty();
        }
        if (service.policy().get().killSwitch()) {
            return Optional.of(" The kill switch is on: Kipimo steps aside.");
        }
        Optional<ClassState> steered =
                service.movedLast()
                        .or(
                                () ->
                                        service.shown().stream()
                                                .filter(c -> c.decisions.newest().isPresent())
                                                .reduce((first, last) -> last));
        return steered.map(c -> " " + remedy(service, c, nowMillis));
    }

    private static String remedy(ServiceState service, ClassState c, long nowMillis) {
        Optional<ManualOverride> override =
                service.policy(c)
                        .flatMap(ClassPolicy::override)
                        .filter(o -> o.isInForce(nowMillis));
        if (override.isPresent()) {
            ManualOverride o = override.get();
            return o.by()
                    + " admits "
                    + DisplayText.percent(o.fraction())
                    + " of "
                    + c.name
                    + (o.reason().isEmpty() ? "." : " (" + o.reason() + ").");
        }
        Decision newest = c.decisions.newest().orElseThrow();
        boolean shadow = newest.mode() == DecisionMode.SHADOW;
        Optional<Decision> move =
                c.decisions
                        .lastMove()
                        .filter(d -> nowMillis - d.issuedAtMillis() <= RECENT_MOVE_MILLIS);
        if (move.isEmpty()) {
            return "Kipimo "
                    + (shadow ? "would admit " : "admits ")
                    + DisplayText.percent(newest.value())
                    + " of "
                    + c.name
                    + because(newest);
        }
        Decision d = move.get();
        String verb =
                d.value() < d.previous()
                        ? shadow ? "would have cut " : "cut "
                        : shadow ? "would have opened " : "opened ";
        return "Kipimo "
                + verb
                + c.name
                + " from "
                + DisplayText.percent(d.previous())
                + " to "
                + DisplayText.percent(d.value())
                + " "
                + DisplayText.span(nowMillis - d.issuedAtMillis())
                + " ago"
                + because(d);
    }

    private static String because(Decision decision) {
        return " (" + DisplayText.inside(DisplayText.reason(decision.reason())) + ").";
    }
}
