package io.kipimo.simulator.suite;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.workload.RateCurve;

/**
 * A scenario of the suite, and what is to be judged in it. All figures are of the scenario's virtual time.
 *
 * @param changedAtSeconds when the overload or the fault begins; 0: with the service
 * @param restoredAtSeconds when it ends; infinite: never
 * @param carried by an oracle, queries a second that the service can answer well; of replication: copies more of a
 *     request that help
 * @param mostReturnSeconds bound of {@link SuiteFigures#returnSeconds}; infinite: shedding cannot bring quality back
 * @param mostOpenSeconds bound of {@link SuiteFigures#openSeconds}
 * @param mostNeedless bound of {@link SuiteFigures#needless}
 */
@WithBuilder
public record SuiteCase(
        String name,
        Scenario scenario,
        double changedAtSeconds,
        double restoredAtSeconds,
        RateCurve carried,
        double mostReturnSeconds,
        double mostOpenSeconds,
        double mostNeedless)
        implements SuiteCaseBuilder.With {}
