package io.kipimo.labs.demos.admission;

import io.kipimo.examples.search.load.Capacity;
import io.kipimo.examples.search.load.LoadGenerator;
import io.kipimo.examples.search.load.LoadTarget;
import io.kipimo.examples.search.workload.QueryMix;
import io.kipimo.examples.search.workload.QueryWriter;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/** The running service that a demo loads, with the enforcement point of its low class. */
interface DemoService extends AutoCloseable {
    /** The service's name in policies and records. */
    String NAME = "search";

    /** Starts a service. */
    interface Starter {
        /**
         * Starts the service. Returns when it answers.
         *
         * @param kafka where it reports, and reads decisions
         * @throws Exception if it does not start; nothing is left running then
         */
        DemoService start(KafkaSettings kafka) throws Exception;
    }

    /** The ports at which the service answers each class. */
    LoadTarget target();

    /** A new generator of queries in the service's form. */
    LoadGenerator generator();

    /** Writes queries of words that occur in the service's documents. */
    QueryWriter writer() throws Exception;

    /** Measures the capacity: complete answers a second when the service is never idle. */
    Capacity capacity(QueryWriter writer, QueryMix mix, long seed) throws Exception;

    /** Time to start, warm up, calibrate and stop everything, as measured on two cores. */
    Duration setup();

    /** Share of the capacity that the high class asks for, 0..1. */
    double highShare();

    /** Number of components that a query invokes. */
    int components();

    /**
     * Admitted fraction of the low class, as the enforcement point reports it; empty: the service itself sheds, and its
     * observations have the fraction.
     */
    OptionalDouble admitted();

    /** Lower bound of the low class's admitted fraction, 0..1. It holds for every decision. */
    double floor();

    /** A paragraph of the report on the service and on the measurement of its answers. */
    String description();

    /** Sentences on the counts of the service. */
    List<String> notes();

    @Override
    void close();
}
