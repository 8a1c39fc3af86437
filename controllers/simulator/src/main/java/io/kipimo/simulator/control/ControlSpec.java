package io.kipimo.simulator.control;

import io.kipimo.schemas.policy.Policy;
import io.kipimo.simulator.workload.ModelChecks;

/**
 * How the service is measured and controlled.
 *
 * @param policy as the jobs get it; if the sampling rate is not fixed, the sampling controller sets it
 * @param estimator which estimate the controller gets
 * @param admitsLower false: the lower classes are rejected, whatever the decisions (No Sharing of Ubora, fig. 11)
 * @param logDelaySeconds of each event, observation and decision in the log
 * @param outOfOrderSeconds how long the jobs wait for late records
 */
public record ControlSpec(
        Policy policy, Estimator estimator, boolean admitsLower, double logDelaySeconds, double outOfOrderSeconds) {

    /** Which estimate the controller uses. */
    public enum Estimator {
        /** The product's: model-assisted as soon as there are enough samples. */
        ASSISTED,
        /** The product's estimator when front ends do not report which components were missing. */
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
        return new ControlSpec(newPolicy, estimator, admitsLower, logDelaySeconds, outOfOrderSeconds);
    }

    /** This specification with another estimator. */
    public ControlSpec withEstimator(Estimator newEstimator) {
        return new ControlSpec(policy, newEstimator, admitsLower, logDelaySeconds, outOfOrderSeconds);
    }

    /** This specification with the lower classes admitted or not. */
    public ControlSpec withLower(boolean admitted) {
        return new ControlSpec(policy, estimator, admitted, logDelaySeconds, outOfOrderSeconds);
    }
}
