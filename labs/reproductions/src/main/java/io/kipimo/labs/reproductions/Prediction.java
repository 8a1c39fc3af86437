package io.kipimo.labs.reproductions;

import io.kipimo.core.replication.ServiceTimes;
import io.kipimo.core.replication.SimulatedQueues;
import io.kipimo.core.replication.Traffic;
import io.kipimo.core.replication.Zoolander;
import java.util.List;

/** The product's ways to predict the service level of one group of duplicates. */
@FunctionalInterface
interface Prediction {
    Prediction FORMULA = (times, tau, duplicates, perSecond) ->
            Zoolander.mix(times, tau, 1, duplicates, perSecond, 0).serviceLevel();

    Prediction QUEUES = (times, tau, duplicates, perSecond) -> SimulatedQueues.mix(
                    List.of(times), tau, 1, duplicates, Traffic.poisson(perSecond, 0), 1)
            .serviceLevel();

    /** A share of requests, 0..1. */
    double level(ServiceTimes times, double tauMillis, int duplicates, double perSecond);
}
