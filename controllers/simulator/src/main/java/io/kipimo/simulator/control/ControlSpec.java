package io.kipimo.simulator.control;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.simulator.workload.ModelChecks;

/**
 * Settings of how the service is measured and controlled.
 *
 * @param policy policy as the jobs get it; if the sampling rate is not fixed, the sampling controller sets it
 * @param estimator estimate that the controller gets
 * @param admitsLower false: the lower classes are rejected, whatever the decisions (No Sharing of Ubora, fig. 11)
 * @param logDelaySeconds delay of each event, observation and decision in the log
 * @param outOfOrderSeconds how long the jobs wait for late records
 */
@WithBuilder
public record ControlSpec(
        Policy policy,
        ControlEstimator estimator,
        boolean admitsLower,
        double logDelaySeconds,
        double outOfOrderSeconds)
        implements ControlSpecBuilder.With {

    /** The estimate that the controller uses. */
    public enum ControlEstimator {
        /** The product's estimate: model-assisted as soon as there are enough samples. */
        ASSISTED,
        /** The product's estimate when front ends do not report which components were missing. */
        STRATIFIED,
        /** The mean of the samples alone, as in Ubora. */
        PLAIN
    }

    public ControlSpec {
        ModelChecks.atLeast("log delay", logDelaySeconds, 0);
        ModelChecks.atLeast("out of orderness", outOfOrderSeconds, 0);
    }
}
