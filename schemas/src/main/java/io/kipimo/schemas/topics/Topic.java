package io.kipimo.schemas.topics;

/** The topic catalogue: every topic of this version with its message type, key and retention. */
public enum Topic {
    ANSWERS("answers", "AnswerProto", "query id", 4, Cleanup.DELETE, 1, "answers to sampled queries"),
    PARTIALS(
            "partials",
            "PartialResultProto",
            "query id",
            4,
            Cleanup.DELETE,
            1,
            "components' results for sampled queries"),
    OBSERVATIONS(
            "observations",
            "ObservationProto",
            "service/tier/server",
            4,
            Cleanup.DELETE,
            1,
            "one second of one class on one front end"),
    QUALITY("quality", "MeasurementProto", "query id", 4, Cleanup.DELETE, 7, "measured queries"),
    QUALITY_WINDOWS(
            "quality-windows",
            "QualityWindowProto",
            "service/class",
            4,
            Cleanup.DELETE,
            30,
            "estimates with intervals and attribution"),
    VARIANT_WINDOWS(
            "variant-windows",
            "QualityWindowProto",
            "service/class/variant",
            4,
            Cleanup.DELETE,
            30,
            "the same of one variant of the class, such as a canary"),
    DEADLINES(
            "deadlines",
            "DeadlineCurveProto",
            "service/class",
            4,
            Cleanup.DELETE,
            30,
            "quality by deadline, and the cost of each component's lateness"),
    ERROR_BUDGETS(
            "error-budgets",
            "ErrorBudgetProto",
            "service/class",
            4,
            Cleanup.DELETE,
            30,
            "remaining error budgets and burn rates"),
    COMPLETENESS(
            "completeness",
            "CompletenessModelProto",
            "service/class",
            1,
            Cleanup.COMPACT,
            0,
            "models that predict an answer's quality from its missing components"),
    FAN_OUT(
            "fan-out",
            "FanOutPublicationProto",
            "service/class",
            1,
            Cleanup.COMPACT,
            0,
            "models by which front ends ask fewer components"),
    SERVER_OBSERVATIONS(
            "server-observations",
            "ServerObservationProto",
            "service/tier/component/server",
            4,
            Cleanup.DELETE,
            1,
            "one second of one server"),
    TAILS(
            "tails",
            "TailWindowProto",
            "service/tier/component/server, as far as named",
            4,
            Cleanup.DELETE,
            30,
            "tail latencies and capacity of servers, components, tiers and services"),
    REPLICA_TRUTH(
            "replica-truth",
            "ReplicaTruthProto",
            "service/component",
            1,
            Cleanup.DELETE,
            30,
            "whether answers depend on which server was asked"),
    READS(
            "reads",
            "CacheReadProto",
            "service/table/key",
            4,
            Cleanup.DELETE,
            1,
            "records and query results that the origin returned for caching"),
    WRITES("writes", "RecordWriteProto", "service/table/record", 4, Cleanup.DELETE, 1, "records after writes"),
    SUBSCRIPTIONS(
            "subscriptions",
            "SubscriptionProto",
            "service/table/key",
            4,
            Cleanup.COMPACT,
            0,
            "queries whose cached results Kipimo invalidates"),
    TTLS(
            "ttls",
            "TtlEstimateProto",
            "service/table/key",
            4,
            Cleanup.COMPACT,
            0,
            "how long records and query results may be cached"),
    INVALIDATIONS(
            "invalidations",
            "InvalidationProto",
            "service/table/key",
            4,
            Cleanup.DELETE,
            1,
            "cached records and results that became stale"),
    CACHING(
            "caching",
            "CachingWindowProto",
            "service/table",
            1,
            Cleanup.DELETE,
            30,
            "counts of each table's reads, writes and cached results"),
    CACHE_USES(
            "cache-uses", "CacheUseProto", "service/table", 4, Cleanup.DELETE, 1, "one second of one client or cache"),
    CACHE_TRUTH(
            "cache-truth",
            "CacheTruthProto",
            "service/table",
            1,
            Cleanup.DELETE,
            30,
            "how fresh sampled reads through caches were, by link"),
    ADMISSION("admission", "DecisionProto", "service/class", 1, Cleanup.COMPACT, 0, "admitted fractions"),
    SAMPLING("sampling", "DecisionProto", "service", 1, Cleanup.COMPACT, 0, "sampling rates"),
    REPLICATION(
            "replication",
            "ReplicationDecisionProto",
            "service",
            1,
            Cleanup.COMPACT,
            0,
            "copies of a request that each tier sends"),
    EXPERIMENTS("experiments", "ExperimentProto", "rating id", 1, Cleanup.DELETE, 7, "commands to load generators"),
    EXPERIMENT_RESULTS(
            "experiment-results",
            "ExperimentReportProto",
            "rating id",
            1,
            Cleanup.DELETE,
            7,
            "reports of load generators"),
    RATINGS(
            "ratings",
            "RatingProto",
            "rating id",
            1,
            Cleanup.DELETE,
            365,
            "ratings, from their requests to their results"),
    POLICIES("policies", "PolicyProto", "service", 1, Cleanup.COMPACT, 0, "objectives, classes, overrides"),
    EPOCHS("epochs", "EpochClaimProto", "controller/scope", 1, Cleanup.COMPACT, 0, "claims; the offset is the epoch"),
    LATE_EVENTS(
            "late-events",
            "QueryEventProto",
            "query id",
            4,
            Cleanup.DELETE,
            1,
            "events that came after their query was measured"),
    DEAD_LETTERS(
            "dead-letters",
            "DeadLetterProto",
            "the record's own key",
            1,
            Cleanup.DELETE,
            7,
            "records that could not be used, with the reason");

    /** The broker's cleanup of old records. */
    public enum Cleanup {
        /** Records are removed after the retention. */
        DELETE,
        /** The newest record of each key is kept for ever. */
        COMPACT
    }

    private final String suffix;
    private final String message;
    private final String key;
    private final int partitions;
    private final Cleanup cleanup;
    private final int retentionDays;
    private final String holds;

    Topic(String suffix, String message, String key, int partitions, Cleanup cleanup, int retentionDays, String holds) {
        this.suffix = suffix;
        this.message = message;
        this.key = key;
        this.partitions = partitions;
        this.cleanup = cleanup;
        this.retentionDays = retentionDays;
        this.holds = holds;
    }

    /** Default prefix of all topics. */
    public static final String DEFAULT_PREFIX = "kipimo.";

    /** Full name, for example {@code kipimo.answers}. */
    public String name(String prefix) {
        return prefix + suffix;
    }

    public String suffix() {
        return suffix;
    }

    /** Message type in package {@code kipimo.v1}. */
    public String message() {
        return message;
    }

    public String key() {
        return key;
    }

    /** Default number of partitions; 1 where order over all keys matters. */
    public int partitions() {
        return partitions;
    }

    public Cleanup cleanup() {
        return cleanup;
    }

    /** Retention in days; 0 for compacted topics. */
    public int retentionDays() {
        return retentionDays;
    }

    public String holds() {
        return holds;
    }
}
