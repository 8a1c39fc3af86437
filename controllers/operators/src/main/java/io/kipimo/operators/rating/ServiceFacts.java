package io.kipimo.operators.rating;

import io.kipimo.core.rating.ServiceFact;
import io.kipimo.core.rating.ServiceFact.Aspect;
import io.kipimo.operators.types.StateFormats;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.tails.TailLevel;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowKind;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/** Extracts the facts on which ratings depend from observations of front ends and windows of the tails job. */
public final class ServiceFacts {
    public static final TypeInformation<ServiceFact> TYPE = StateFormats.SERVICE_FACT.typeInfo();

    private ServiceFacts() {}

    /** Returns the number of requests of a class in a second; empty if there were none. */
    public static Optional<ServiceFact> of(Observation seen) {
        return seen.offered() == 0
                ? Optional.empty()
                : Optional.of(new ServiceFact(
                        seen.service(), Aspect.MIX, seen.queryClass(), (double) seen.offered(), seen.secondMillis()));
    }

    /**
     * Returns the capacity of a tier or the variability of a service's latency, from a tumbling window of it; empty for
     * all other windows.
     */
    public static Optional<ServiceFact> of(TailWindow window) {
        if (window.kind() != TailWindowKind.TUMBLING) {
            return Optional.empty();
        }
        if (window.level() == TailLevel.TIER) {
            return window.capacity()
                    .map(c -> new ServiceFact(
                            window.service(),
                            Aspect.CAPACITY,
                            window.tier(),
                            c.requestsPerSecond(),
                            window.endMillis()));
        }
        return window.level() == TailLevel.SERVICE
                ? window.latency()
                        .map(l -> new ServiceFact(
                                window.service(),
                                Aspect.VARIABILITY,
                                "",
                                l.coefficientOfVariation(),
                                window.endMillis()))
                : Optional.empty();
    }
}
