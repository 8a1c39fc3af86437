package io.kipimo.simulator.control;

import io.kipimo.schemas.policy.Policy;
import io.kipimo.simulator.workload.ModelChecks;

/**
 * How the service is measured and steered.
 *
 * @param policy as the jobs get it; a sampling rate that is not fixed is steered, too
 * @param estimator what the controller is told of the samples
 * @param admitsLower false: the lower classes are shut out altogether, whatever is decided (No
 *     Sharing of Ubora, fig. 11)
 * @param logDelaySeconds of each event, observation and decision on its way
 * @param outOfOrderSeconds by which the jobs wait for what is late on its way
 */
public record ControlSpec(
        Policy policy,
        Estimator estimator,
        boolean admitsLower,
        double logDelaySeconds,
        double outOfOrderSeconds) {

    /** Which mean of the samples the controller uses. */
    public enum Estimator {
        /** The product's stratified estimate. */
        STRATIFIED,
        /** The mean of the samples alone, as Ubora's. */
        PLAIN
    }

    public ControlSpec {
        ModelChecks.atLeast("log delay", logDelaySeconds, 0);
        ModelChecks.atLeast("out of orderness", outOfOrderSeconds, 0);
    }

    /** This specification with another policy. */
    public ControlSpec withPolicy(Policy newPolicy) {
        return new ControlSpec(
                newPolicy, estimator, admitsLower, logDelaySeconds, outOfOrderSeconds);
    }

    /** This specification with another estimator. */
    public ControlSpec withEstimator(Estimator newEstimator) {
        return new ControlSpec(
                policy, newEstimator, admitsLower, logDelaySeconds, outOfOrderSeconds);
    }

    /** This specification with the lower classes admitted or not. */
    public ControlSpec withLower(boolean admitted) {
        return new ControlSpec(policy, estimator, admitted, logDelaySeconds, outOfOrderSeconds);
    }
}
