package io.kipimo.operators.rating;

import io.kipimo.core.rating.drift.ServiceFact;
import io.kipimo.core.rating.drift.ServiceFact.Aspect;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowKind;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/** What ratings hang on, from what front ends and the tails job tell. */
public final class ServiceFacts {
    public static final TypeInformation<ServiceFact> TYPE = TypeInformation.of(ServiceFact.class);

    private ServiceFacts() {}

    /** Requests of a class; empty if there were none. */
    public static Optional<ServiceFact> of(Observation seen) {
        return seen.offered() == 0
                ? Optional.empty()
                : Optional.of(
                        new ServiceFact(
                                seen.service(),
                                Aspect.MIX,
                                seen.queryClass(),
                                (double) seen.offered(),
                                seen.secondMillis()));
    }

    /** Of tumbling windows: capacity of a tier, or variability of the service; else empty. */
    public static Optional<ServiceFact> of(TailWindow window) {
        if (window.kind() != TailWindowKind.TUMBLING) {
            return Optional.empty();
        }
        if (window.level() == TailLevel.TIER) {
            return window.capacity()
                    .map(
                            c ->
                                    new ServiceFact(
                                            window.service(),
                                            Aspect.CAPACITY,
                                            window.tier(),
                                            c.requestsPerSecond(),
                                            window.endMillis()));
        }
        return window.level() == TailLevel.SERVICE
                ? window.latency()
                        .map(
                                l ->
                                        new ServiceFact(
                                                window.service(),
                                                Aspect.VARIABILITY,
                                                "",
                                                l.coefficientOfVariation(),
                                                window.endMillis()))
                : Optional.empty();
    }
}
