package io.kipimo.core.guard;

import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks whether controllers can follow a policy. The codec checks policies from the log; this
 * check covers policies from other sources too, since a wrong policy can take a site down.
 */
public final class PolicyCheck {
    private static final double DAY_MILLIS = 24 * 3600 * 1000;

    /** Doubles cannot distinguish all greater versions. */
    private static final long LARGEST_VERSION = 1L << 53;

    private final List<String> problems = new ArrayList<>();

    private PolicyCheck() {}

    /** All problems, each with field, value and allowed range; empty if there are none. */
    public static List<String> problems(Policy policy) {
        PolicyCheck check = new PolicyCheck();
        if (policy.version() < 0 || policy.version() > LARGEST_VERSION) {
            check.problems.add(
                    "version is " + policy.version() + "; allowed: 0.." + LARGEST_VERSION);
        }
        check.within("window_millis", (double) policy.windowMillis(), 1, DAY_MILLIS);
        check.admission(policy.admission());
        check.sampling(policy.sampling());
        if (policy.classes().isEmpty()) {
            check.problems.add("classes is empty; allowed: at least one");
        }
        if (policy.metrics().isEmpty()) {
            check.problems.add("metrics is empty; allowed: at least one");
        }
        policy.classes().forEach(check::classPolicy);
        return check.problems;
    }

    private void admission(AdmissionPolicy a) {
        within("admission.kp", a.kp(), 0, 100);
        within("admission.ki", a.ki(), 0, 100);
        within("admission.kd", a.kd(), 0, 1000);
        within("admission.current_weight", a.currentWeight(), 0, 1);
        within("admission.time_out_objective", a.timeOutObjective(), 0, 1);
        within("admission.period_millis", (double) a.periodMillis(), 1, DAY_MILLIS);
        within("admission.minimum_samples", a.minimumSamples(), 1, 1_000_000);
        within("admission.minimum_rate_per_second", a.minimumRatePerSecond(), 0, 1e9);
        within("admission.dead_band", a.deadBand(), 0, 1);
        within("admission.slew_up", a.slewUp(), 1e-6, 1);
        within("admission.slew_down", a.slewDown(), 1e-6, 1);
        within("admission.stale_after_periods", a.staleAfterPeriods(), 1, 1000);
        within("admission.lease_millis", (double) a.leaseMillis(), 1, DAY_MILLIS);
        within("admission.decay_millis", (double) a.decayMillis(), 0, DAY_MILLIS);
    }

    private void sampling(SamplingPolicy s) {
        within("sampling.minimum_rate", s.minimumRate(), 1e-6, 1);
        within("sampling.maximum_rate", s.maximumRate(), s.minimumRate(), 1);
        within("sampling.target_half_width", s.targetHalfWidth(), 1e-6, 1);
        if (s.fixedRate() != 0) {
            within("sampling.fixed_rate", s.fixedRate(), 1e-6, 1);
        }
        within("sampling.extra_load", s.extraLoad(), 0, 1);
    }

    private void classPolicy(ClassPolicy c) {
        String of = "classes." + c.name() + '.';
        within(of + "objective", c.objective(), 0, 1);
        within(of + "safe_fraction", c.safeFraction(), 0, 1);
        within(of + "floor", c.floor(), 1e-6, 1);
        within(of + "ceiling", c.ceiling(), c.floor(), 1);
        c.override().ifPresent(o -> within(of + "override.fraction", o.fraction(), 0, 1));
    }

    private void within(String field, double value, double least, double most) {
        // This form rejects NaN.
        if (!(value >= least && value <= most)) {
            problems.add(field + " is " + value + "; allowed: " + least + ".." + most);
        }
    }
}
