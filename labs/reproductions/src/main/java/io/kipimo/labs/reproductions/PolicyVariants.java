package io.kipimo.labs.reproductions;

import io.kipimo.schemas.policy.AdmissionPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.policy.SamplingPolicy;

/** Variants of a policy that differ in one setting. */
final class PolicyVariants {
    private PolicyVariants() {}

    /**
     * The policy with another set point of the time-outs, and other gains.
     *
     * @param gain factor on the proportional and the integral gain
     */
    static Policy withTimeOuts(Policy policy, double setPoint, double gain) {
        return withAdmission(policy, setPoint, gain, policy.admission().minimumSamples());
    }

    /** The policy with another sampling rate; its controller then acts on fewer samples, too. */
    static Policy withSampling(Policy policy, double rate, int minimumSamples) {
        Policy p = withAdmission(policy, policy.admission().timeOutObjective(), 1, minimumSamples);
        SamplingPolicy s = p.sampling();
        return p.withSampling(s.toBuilder().fixedRate(rate).build());
    }

    /**
     * The policy with the product's adaptive sampling rate, within its usual bounds. It has no budget for the extra
     * load of late work, because experiments show the cost of rates.
     */
    static Policy withAdaptiveSampling(Policy policy) {
        SamplingPolicy d = SamplingPolicy.DEFAULT;
        return policy.withSampling(d.toBuilder().extraLoad(0).build());
    }

    private static Policy withAdmission(Policy policy, double timeOuts, double gain, int minimumSamples) {
        AdmissionPolicy a = policy.admission();
        return policy.withAdmission(a.toBuilder()
                .kp(a.kp() * gain)
                .ki(a.ki() * gain)
                .timeOutObjective(timeOuts)
                .minimumSamples(minimumSamples)
                .build());
    }
}
