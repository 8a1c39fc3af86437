package io.kipimo.core.admission;

import io.kipimo.core.guard.ControlInput;
import io.kipimo.core.guard.ControlOutput;
import io.kipimo.core.guard.DecisionReason;
import io.kipimo.core.guard.Guards;
import io.kipimo.core.guard.StepContext;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.ControllerKind;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Estimator;
import io.kipimo.schemas.quality.QualityWindow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Explains a decision of the admission loop in sentences. They name the window that the step used, the step of the
 * controller, and the guard that held it, if any. The code that decides also computes the figures.
 */
public final class AdmissionAccount {
    private static final Map<Estimator, String> EXPLAINED = Map.of(
            Estimator.MODEL_ASSISTED, "model-assisted",
            Estimator.STRATIFIED_NOT_COUNTED, "stratified: not all front ends report which components were missing",
            Estimator.STRATIFIED_FEW_SAMPLES, "stratified: too few degraded samples");

    private static final double MILLIS_PER_SECOND = 1000;

    private final AdmissionState before;
    private final StepContext<Policy> context;
    private final Policy policy;
    private final Decision decision;
    private final List<String> lines = new ArrayList<>();

    private AdmissionAccount(AdmissionState before, StepContext<Policy> context, Decision decision) {
        this.before = before;
        this.context = context;
        this.policy = context.policy();
        this.decision = decision;
    }

    /**
     * Returns the explanation, one sentence an element, in the order of the steps.
     *
     * @param before state of the loop before the step
     * @param window window that the step used; empty: the step was a heartbeat
     * @param decision one of the decisions that the step took
     */
    public static List<String> of(
            AdmissionState before, Optional<QualityWindow> window, StepContext<Policy> context, Decision decision) {
        AdmissionAccount account = new AdmissionAccount(before, context, decision);
        if (window.isPresent()) {
            account.step(window.get());
        } else {
            account.heartbeat();
        }
        account.result();
        return List.copyOf(account.lines);
    }

    private void heartbeat() {
        long ended = before.lastWindowMillis();
        lines.add("Input: a heartbeat, no window; %s"
                .formatted(
                        ended == 0
                                ? "there was none before."
                                : "the newest ended " + seconds(decision.issuedAtMillis() - ended) + " before."));
        lines.add("Step: none; the fractions in force are renewed, unless an override, the policy"
                + " or missing measurements require others.");
    }

    private void step(QualityWindow batch) {
        lines.add(("Input: %s of class %s, %s to %s: %s answers, %s without some component%s; %s "
                        + "measured, %s of them expired; quality %s%s, averaged %s by %s samples.")
                .formatted(
                        batch.kind(),
                        batch.queryClass(),
                        Instant.ofEpochMilli(batch.startMillis()),
                        Instant.ofEpochMilli(batch.endMillis()),
                        batch.answered(),
                        batch.timedOut(),
                        unmeasurable(batch),
                        batch.samples(),
                        batch.expired(),
                        interval(batch.estimate()),
                        batch.estimator()
                                .map(e -> " (" + EXPLAINED.get(e) + ")")
                                .orElse(""),
                        interval(batch.averaged()),
                        batch.averagedSamples()));
        loss(batch).ifPresent(lost -> lines.add("Loss: " + lost));
        AdmissionControlStep step = new AdmissionControlStep(before, context);
        ControlTrace trace = step.trace(batch);
        trace.input().ifPresent(now -> {
            signal(batch, now);
            evidence(batch, step.observed(batch), step.fractions());
        });
        controller(trace);
        guards(trace);
    }

    /**
     * Says in a sentence how much of a window's lost quality was deliberate, by components that were not asked, and how
     * much was late. Empty if the window has no estimate, or if all components were asked.
     */
    public static Optional<String> loss(QualityWindow window) {
        return window.estimate()
                .filter(e -> window.notAsked() > 0 || window.deliberateLoss() > 0)
                .map(e -> {
                    double lost = 1 - e.mean();
                    double deliberate = Math.min(lost, window.deliberateLoss());
                    return ("%s of class %s; %s deliberate, by components that were not asked (%s of %s "
                                    + "answers), and %s late.")
                            .formatted(
                                    figure(lost),
                                    window.queryClass(),
                                    figure(deliberate),
                                    window.notAsked(),
                                    window.answered(),
                                    figure(lost - deliberate));
                });
    }

    private static String unmeasurable(QualityWindow batch) {
        if (batch.measurableShare() == 1) {
            return "";
        }
        String reasons = batch.unmeasurable().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(e -> e.getKey() + " " + e.getValue())
                .collect(Collectors.joining(", "));
        return ", %s of them measurable%s"
                .formatted(figure(batch.measurableShare()), reasons.isEmpty() ? "" : " (not: " + reasons + ")");
    }

    private void signal(QualityWindow batch, ControlInput now) {
        AdmissionPolicy admission = policy.admission();
        String made = made(batch);
        lines.add("Signal: %s, %s%s, low end %s%s, upper end %s%s%s; set point %s%s; error %s."
                .formatted(
                        admission.signal(),
                        made,
                        figure(now.measured()),
                        figure(now.low()),
                        now.low() < now.lowOfMeasurable() ? ", which counts unmeasurable answers as 0" : "",
                        figure(now.high()),
                        now.bestByTimeOuts() < 1
                                ? ", at most " + figure(now.bestByTimeOuts())
                                        + " by what the time-outs are known to lose"
                                : "",
                        now.isProven() ? ", proven by the counts alone" : "",
                        figure(now.objective()),
                        now.reachable() < 1
                                ? " of a reachable " + figure(now.reachable()) + ", since shedding brings no more"
                                : "",
                        figure(now.error())));
    }

    /** Adds what is known of the answers under the present setting, and what the steps down have brought. */
    private void evidence(QualityWindow batch, AdmissionState observed, ClassFractions fractions) {
        SettingEvidence evidence = observed.evidence();
        if (evidence.answers() == 0) {
            return;
        }
        boolean isNew = before.evidence().answers() > 0 && evidence.sinceMillis() == batch.startMillis();
        lines.add("Evidence: of %s of this load, %s answers with %s of the results in time%s."
                .formatted(
                        seconds(batch.endMillis() - evidence.sinceMillis()),
                        Math.round(evidence.answers()),
                        figure(evidence.inTime()),
                        isNew ? "; it begins anew, since that share has changed by itself" : ""));
        EffectTest test = observed.effect();
        if (test.steps() > 0) {
            lines.add("Effect: %s down since %s queries/s were admitted, with %s of %s; now %s queries/s."
                    .formatted(
                            test.steps() == 1 ? "a step" : test.steps() + " steps",
                            figure(test.base().load()),
                            figure(test.base().quality()),
                            test.base().isLate() ? "the results in time" : "quality",
                            figure(fractions.admitted())));
        }
    }

    private String made(QualityWindow batch) {
        ClassFractions fractions = ClassFractions.of(before, policy, context.nowMillis());
        if (new BatchInput(batch, fractions).ofAnsweringComponents().isPresent()) {
            return "results in time of the components that answer at all = ";
        }
        return switch (policy.admission().signal()) {
            case QUALITY ->
                batch.estimate().isEmpty() || batch.averaged().isEmpty()
                        ? "answers with every component = "
                        : "%s x %s + %s x %s = "
                                .formatted(
                                        figure(policy.admission().currentWeight()),
                                        figure(batch.estimate().get().mean()),
                                        figure(1 - policy.admission().currentWeight()),
                                        figure(batch.averaged().get().mean()));
            case TIME_OUTS -> "1 - averaged share of time-outs = ";
            case CASCADE -> "1 - learned loss a time-out x " + figure(batch.timeOutShare()) + " time-outs = ";
        };
    }

    private void controller(ControlTrace trace) {
        if (trace.input().isEmpty() || trace.wanted().isEmpty()) {
            lines.add(
                    policy.admission().controller() == ControllerKind.NO_CONTROL
                            ? "Step: the policy asks for no control."
                            : trace.decided().reason() == DecisionReason.START_OVERLOADED
                                    ? "Step: none before the first full window."
                                    : "Step: none, since the window has no estimate%s"
                                            .formatted(
                                                    trace.decided().reason() == DecisionReason.HELD_NOT_MEASURABLE
                                                            ? ": too few of its answers are measurable."
                                                            : "."));
            return;
        }
        ControlInput now = trace.input().get();
        ControlOutput<PidState> wanted = trace.wanted().get();
        lines.add("Step: %s from %s open%s to %s."
                .formatted(
                        policy.admission().controller(),
                        figure(trace.opening()),
                        policy.admission().controller() == ControllerKind.PID ? pid(now) : "",
                        figure(wanted.value())));
    }

    private String pid(ControlInput now) {
        AdmissionPolicy admission = policy.admission();
        PidState last = before.pid();
        if (now.isClear()) {
            return ", clear of its objective, by the headroom,";
        }
        if (now.isShownBad()) {
            return ", shown bad, by the part of the load that is too much,";
        }
        if (!last.isStarted()) {
            return ", its first measurement, which is only a reference for the next,";
        }
        return " by %s x (%s - %s) + %s x %s x %s%s"
                .formatted(
                        figure(admission.kp()),
                        figure(now.error()),
                        figure(last.error()),
                        figure(admission.ki()),
                        figure(now.error()),
                        seconds(now.stepMillis()),
                        admission.kd() > 0 ? " and the slope" : "");
    }

    private void guards(ControlTrace trace) {
        boolean isHeld = trace.wanted()
                .filter(w -> w.reason() == trace.decided().reason())
                .isEmpty();
        lines.add(
                isHeld && policy.admission().controller() != ControllerKind.NO_CONTROL
                        ? "Guard: %s holds it at %s. %s"
                                .formatted(
                                        trace.decided().reason(),
                                        figure(trace.decided().value()),
                                        trace.decided().reason().sentence())
                        : "Guard: no guard of the controller holds it.");
    }

    private void result() {
        String name = ServiceClass.of(decision.scope()).queryClass();
        Optional<ClassPolicy> classPolicy = policy.classPolicy(name);
        lines.add("Class %s: from %s to %s%s."
                .formatted(
                        name,
                        figure(decision.previous()),
                        figure(decision.value()),
                        classPolicy
                                .map(c -> "; allowed are "
                                        + figure(c.floor())
                                        + " to "
                                        + figure(c.ceiling())
                                        + ", at most "
                                        + figure(policy.admission().slewUp())
                                        + " up and "
                                        + figure(policy.admission().slewDown())
                                        + " down a step")
                                .orElse("")));
        lines.add("Decision: "
                + decision.mode()
                + ", "
                + decision.reason()
                + DecisionReason.named(decision.reason())
                        .map(r -> ": " + r.sentence())
                        .orElse("")
                + (Guards.staleAfterMillis(policy.admission()) < decision.issuedAtMillis() - decision.asOfMillis()
                        ? " Its figures are too old to act on under the policy."
                        : ""));
    }

    private static String interval(Optional<Estimate> estimate) {
        return estimate.map(e -> figure(e.mean()) + " (" + figure(e.low()) + ".." + figure(e.high()) + ")")
                .orElse("unknown");
    }

    private static String figure(double value) {
        String text = String.format(Locale.ROOT, "%.4f", value);
        return text.replaceAll("0+$", "").replaceAll("\\.$", "");
    }

    private static String seconds(long millis) {
        return figure(millis / MILLIS_PER_SECOND) + " s";
    }
}
