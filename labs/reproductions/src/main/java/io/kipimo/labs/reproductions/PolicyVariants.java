package io.kipimo.labs.reproductions;

import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;

/** Policies that differ in one thing from another. */
final class PolicyVariants {
    private PolicyVariants() {}

    /**
     * The same with another set point of the time-outs, and other gains.
     *
     * @param gain multiplies the proportional and the integral part
     */
    static Policy withTimeOuts(Policy policy, double setPoint, double gain) {
        return withAdmission(policy, setPoint, gain, policy.admission().minimumSamples());
    }

    /** The same with another sampling rate; a controller then acts on fewer samples too. */
    static Policy withSampling(Policy policy, double rate, int minimumSamples) {
        Policy p = withAdmission(policy, policy.admission().timeOutObjective(), 1, minimumSamples);
        SamplingPolicy s = p.sampling();
        return p.withSampling(
                new SamplingPolicy(
                        s.minimumRate(),
                        s.maximumRate(),
                        s.targetHalfWidth(),
                        rate,
                        s.extraLoad()));
    }

    /**
     * The same with the product's own choice of the rate, within its usual bounds; but late work
     * has no budget: what rates cost is what experiments show.
     */
    static Policy withAdaptiveSampling(Policy policy) {
        SamplingPolicy d = SamplingPolicy.DEFAULT;
        return policy.withSampling(
                new SamplingPolicy(
                        d.minimumRate(), d.maximumRate(), d.targetHalfWidth(), d.fixedRate(), 0));
    }

    private static Policy withAdmission(
            Policy policy, double timeOuts, double gain, int minimumSamples) {
        AdmissionPolicy a = policy.admission();
        return policy.withAdmission(
                new AdmissionPolicy(
                        a.controller(),
                        a.signal(),
                        a.shadow(),
                        a.kp() * gain,
                        a.ki() * gain,
                        a.kd(),
                        a.currentWeight(),
                        timeOuts,
                        a.batchQueries(),
                        a.periodMillis(),
                        minimumSamples,
                        a.minimumRatePerSecond(),
                        a.deadBand(),
                        a.slewUp(),
                        a.slewDown(),
                        a.staleAfterPeriods(),
                        a.leaseMillis(),
                        a.decayMillis()));
    }
}
