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
         * Returns when the service answers.
         *
         * @param kafka where it reports, and reads decisions
         * @throws Exception if it does not start; nothing is left running then
         */
        DemoService start(KafkaSettings kafka) throws Exception;
    }

    /** Ports that answer the classes. */
    LoadTarget target();

    /** A new generator of queries in the service's form. */
    LoadGenerator generator();

    /** Writes queries of words that occur in the service's documents. */
    QueryWriter writer() throws Exception;

    /** Complete answers a second when the service is never idle. */
    Capacity capacity(QueryWriter writer, QueryMix mix, long seed) throws Exception;

    /** Start, warm-up, calibration and stop of everything, as measured on two cores. */
    Duration setup();

    /** Share of the capacity that the high class asks for, 0..1. */
    double highShare();

    /** Components that a query invokes. */
    int components();

    /**
     * Admitted fraction of the low class, as the enforcement point reports it; empty: the service itself sheds, and its
     * observations have the fraction.
     */
    OptionalDouble admitted();

    /** Least admitted fraction of the low class, whatever the decision, 0..1. */
    double floor();

    /** What it is, and how its answers are measured; a paragraph of the report. */
    String description();

    /** What it counted, a sentence each. */
    List<String> notes();

    @Override
    void close();
}
