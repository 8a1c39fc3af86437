package io.kipimo.simulator.suite;

import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.workload.RateCurve;

/**
 * A scenario of the suite, with the bounds by which its runs are judged. All times are virtual time of the scenario.
 *
 * @param changedAtSeconds when the overload or the fault begins; 0: with the service
 * @param restoredAtSeconds when the overload or the fault ends; infinite: never
 * @param carried queries a second that the service can answer well, as an oracle knows them; for cases of replication:
 *     the number of further copies of a request that help
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
