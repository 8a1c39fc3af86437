package io.kipimo.sdk;

import io.kipimo.schemas.field.Names;
import io.kipimo.schemas.quality.Variants;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Names of a service and its query classes, and settings of its reports.
 *
 * @param service name in policies and decisions
 * @param server name of this instance, unique within service and tier
 * @param tier tier of this instance, {@value #DEFAULT_TIER} by default
 * @param initialSamplingRate share of queries that is measured until a sampling decision arrives, 0..1
 * @param profilingShare share of the sampled complete queries whose ONLINE partial results are emitted too, 0..1;
 *     deadline curves are computed from them
 * @param classes every query class of the service, the most important one first
 * @param bufferEvents greatest number of events that are queued for Kafka, 1..1,000,000; further ones are dropped and
 *     counted
 * @param brokerWait how long {@link Kipimo#connect} waits for Kafka before it fails; zero: it does not wait
 * @param variant release or experiment arm of this instance, such as {@code canary}; empty: none
 */
public record KipimoConfig(
        String service,
        String server,
        String tier,
        KafkaSettings kafka,
        double initialSamplingRate,
        double profilingShare,
        Map<String, ClassDefaults> classes,
        int bufferEvents,
        Duration brokerWait,
        String variant) {
    public static final String DEFAULT_TIER = "front";
    public static final double DEFAULT_SAMPLING_RATE = 0.01;
    public static final double DEFAULT_PROFILING_SHARE = 0.1;
    public static final int DEFAULT_BUFFER_EVENTS = 10_000;

    private static final int MAXIMUM_BUFFER_EVENTS = 1_000_000;

    /** @throws IllegalArgumentException if settings are out of range; lists each with its value and what is allowed */
    public KipimoConfig {
        List<String> problems = new ArrayList<>();
        checkName("service", service, problems);
        checkName("server", server, problems);
        checkName("tier", tier, problems);
        if (kafka == null) {
            problems.add("kafka is not set; allowed: settings of Kafka");
        }
        checkFraction("initialSamplingRate", initialSamplingRate, problems);
        checkFraction("profilingShare", profilingShare, problems);
        if (classes.isEmpty()) {
            problems.add("classes is empty; allowed: at least one query class");
        }
        classes.keySet().forEach(name -> checkName("query class", name, problems));
        if (bufferEvents < 1 || bufferEvents > MAXIMUM_BUFFER_EVENTS) {
            problems.add("bufferEvents is " + bufferEvents + "; allowed: 1.." + MAXIMUM_BUFFER_EVENTS);
        }
        if (brokerWait.isNegative()) {
            problems.add("brokerWait is " + brokerWait + "; allowed: zero or more");
        }
        if (!variant.isEmpty()) {
            checkName("variant", variant, problems);
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        classes = Collections.unmodifiableMap(new LinkedHashMap<>(classes));
    }

    static void checkName(String what, String name, List<String> problems) {
        if (name == null || !Names.isName(name)) {
            problems.add(what
                    + " is "
                    + (name == null ? "not set" : "'" + Names.printable(name) + "'")
                    + "; allowed: 1.."
                    + Names.LONGEST
                    + " characters, no '/', no control characters");
        }
    }

    private static void checkFraction(String what, double value, List<String> problems) {
        if (!(value >= 0 && value <= 1)) {
            problems.add(what + " is " + value + "; allowed: 0..1");
        }
    }

    /**
     * The entry of a query class.
     *
     * @throws IllegalArgumentException if the configuration does not name the class
     */
    static <T> T declared(Map<String, T> byClass, String queryClass) {
        T found = byClass.get(queryClass);
        if (found == null) {
            throw new IllegalArgumentException("query class is '" + queryClass + "'; allowed: " + byClass.keySet());
        }
        return found;
    }

    /** Starts a configuration; at least one query class must be added. */
    public static Builder builder(String service, String server, KafkaSettings kafka) {
        return new Builder(service, server, kafka);
    }

    /** All settings except names and Kafka have defaults; at least one query class must be added. */
    public static final class Builder {
        private final String service;
        private final String server;
        private final KafkaSettings kafka;
        private final Map<String, ClassDefaults> classes = new LinkedHashMap<>();
        private String tier = DEFAULT_TIER;
        private double initialSamplingRate = DEFAULT_SAMPLING_RATE;
        private double profilingShare = DEFAULT_PROFILING_SHARE;
        private int bufferEvents = DEFAULT_BUFFER_EVENTS;
        private Duration brokerWait = Duration.ZERO;
        private String variant = Variants.NONE;

        private Builder(String service, String server, KafkaSettings kafka) {
            this.service = service;
            this.server = server;
            this.kafka = kafka;
        }

        /** Tier of this instance. */
        public Builder tier(String tier) {
            this.tier = tier;
            return this;
        }

        /** Share of queries that is measured until a sampling decision arrives, 0..1. */
        public Builder initialSamplingRate(double rate) {
            this.initialSamplingRate = rate;
            return this;
        }

        /** Share of the sampled complete queries whose partial results are emitted, 0..1. */
        public Builder profilingShare(double share) {
            this.profilingShare = share;
            return this;
        }

        /** Declares a query class; the most important one first. */
        public Builder queryClass(String name, ClassDefaults defaults) {
            classes.put(name, defaults);
            return this;
        }

        /** Limit of queued events, 1..1,000,000. */
        public Builder bufferEvents(int events) {
            this.bufferEvents = events;
            return this;
        }

        /** Makes {@link Kipimo#connect} fail if Kafka does not answer within {@code wait}. */
        public Builder requireBroker(Duration wait) {
            this.brokerWait = wait;
            return this;
        }

        /**
         * Names the release or experiment arm of this instance, such as {@code canary}. Its answers and counts are also
         * measured by variant.
         */
        public Builder variant(String name) {
            this.variant = name;
            return this;
        }

        /**
         * Builds the configuration.
         *
         * @throws IllegalArgumentException if settings are out of range; lists all of them
         */
        public KipimoConfig build() {
            return new KipimoConfig(
                    service,
                    server,
                    tier,
                    kafka,
                    initialSamplingRate,
                    profilingShare,
                    classes,
                    bufferEvents,
                    brokerWait,
                    variant);
        }
    }
}
