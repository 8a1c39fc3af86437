package io.kipimo.schemas.topics;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * Groups of processes that use the topics of the catalogue. Access lists and AsyncAPI's operations are made from them.
 */
public enum Role {
    SERVICE(
            RoleKind.CLIENT,
            "front ends, gateways, adapters of HAProxy and Envoy, receivers of spans",
            Set.of(Topic.ADMISSION, Topic.SAMPLING, Topic.COMPLETENESS, Topic.REPLICATION, Topic.FAN_OUT),
            Set.of(Topic.ANSWERS, Topic.PARTIALS, Topic.OBSERVATIONS, Topic.SERVER_OBSERVATIONS, Topic.REPLICA_TRUTH)),
    ORIGIN(
            RoleKind.CLIENT,
            "origins of cached answers",
            Set.of(Topic.INVALIDATIONS, Topic.TTLS),
            Set.of(Topic.READS, Topic.WRITES, Topic.SUBSCRIPTIONS, Topic.CACHE_USES)),
    PURGE(RoleKind.CLIENT, "purgers of shared caches", Set.of(Topic.INVALIDATIONS), Set.of()),
    CACHE(RoleKind.CLIENT, "caches and their clients", Set.of(Topic.INVALIDATIONS), Set.of(Topic.CACHE_USES)),
    CACHE_TRUTH(
            RoleKind.CLIENT, "probers of caches", Set.of(Topic.WRITES, Topic.INVALIDATIONS), Set.of(Topic.CACHE_TRUTH)),
    LOAD_GENERATOR(
            RoleKind.CLIENT, "load generators of ratings", Set.of(Topic.EXPERIMENTS), Set.of(Topic.EXPERIMENT_RESULTS)),
    QUALITY(
            RoleKind.JOB,
            "the quality job; with the local join it writes stray events again",
            Set.of(Topic.POLICIES, Topic.OBSERVATIONS, Topic.ANSWERS, Topic.PARTIALS),
            Set.of(
                    Topic.QUALITY,
                    Topic.QUALITY_WINDOWS,
                    Topic.VARIANT_WINDOWS,
                    Topic.DEADLINES,
                    Topic.ERROR_BUDGETS,
                    Topic.COMPLETENESS,
                    Topic.FAN_OUT,
                    Topic.LATE_EVENTS,
                    Topic.DEAD_LETTERS,
                    Topic.ANSWERS,
                    Topic.PARTIALS)),
    ADMISSION(
            RoleKind.JOB,
            "the admission job",
            Set.of(Topic.POLICIES, Topic.QUALITY_WINDOWS, Topic.REPLICATION),
            Set.of(Topic.ADMISSION, Topic.SAMPLING, Topic.EPOCHS, Topic.DEAD_LETTERS)),
    TAILS(
            RoleKind.JOB,
            "the tails job",
            Set.of(Topic.POLICIES, Topic.SERVER_OBSERVATIONS),
            Set.of(Topic.TAILS, Topic.DEAD_LETTERS)),
    REPLICATION(
            RoleKind.JOB,
            "the replication job",
            Set.of(Topic.POLICIES, Topic.TAILS, Topic.ADMISSION),
            Set.of(Topic.REPLICATION, Topic.EPOCHS, Topic.DEAD_LETTERS)),
    RATING(
            RoleKind.JOB,
            "the rating job",
            Set.of(Topic.RATINGS, Topic.EXPERIMENT_RESULTS, Topic.OBSERVATIONS, Topic.TAILS),
            Set.of(Topic.RATINGS, Topic.EXPERIMENTS, Topic.DEAD_LETTERS)),
    TTL(
            RoleKind.JOB,
            "the ttl job",
            Set.of(Topic.READS, Topic.WRITES, Topic.INVALIDATIONS, Topic.CACHE_USES),
            Set.of(Topic.TTLS, Topic.CACHING, Topic.DEAD_LETTERS)),
    INVALIDATION(
            RoleKind.JOB,
            "the invalidation job; it reads its own log after a failure",
            Set.of(Topic.WRITES, Topic.SUBSCRIPTIONS, Topic.TTLS, Topic.INVALIDATIONS),
            Set.of(Topic.INVALIDATIONS, Topic.EPOCHS, Topic.DEAD_LETTERS)),
    CONSOLE(
            RoleKind.CLIENT,
            "the console",
            Set.of(
                    Topic.POLICIES,
                    Topic.ADMISSION,
                    Topic.SAMPLING,
                    Topic.QUALITY_WINDOWS,
                    Topic.VARIANT_WINDOWS,
                    Topic.DEADLINES,
                    Topic.ERROR_BUDGETS,
                    Topic.REPLICATION,
                    Topic.COMPLETENESS,
                    Topic.FAN_OUT,
                    Topic.DEAD_LETTERS,
                    Topic.OBSERVATIONS,
                    Topic.TAILS,
                    Topic.REPLICA_TRUTH,
                    Topic.CACHING,
                    Topic.CACHE_TRUTH,
                    Topic.RATINGS,
                    Topic.QUALITY),
            Set.of(Topic.POLICIES)),
    OPERATOR(
            RoleKind.ADMINISTRATOR,
            "people and pipelines with the command line",
            EnumSet.allOf(Topic.class),
            Set.of(Topic.POLICIES, Topic.RATINGS));

    /** Rights of a role besides reading and writing its topics. */
    public enum RoleKind {
        /** No further rights. */
        CLIENT,
        /** A job: it sees which topics exist, commits its offsets, and may write in transactions. */
        JOB,
        /** Creates topics and reads their settings. */
        ADMINISTRATOR
    }

    private final RoleKind kind;
    private final String who;

    // The sets are never changed.
    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<Topic> reads;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Set<Topic> writes;

    Role(RoleKind kind, String who, Set<Topic> reads, Set<Topic> writes) {
        this.kind = kind;
        this.who = who;
        this.reads = Collections.unmodifiableSet(sorted(reads));
        this.writes = Collections.unmodifiableSet(sorted(writes));
    }

    private static Set<Topic> sorted(Set<Topic> topics) {
        EnumSet<Topic> sorted = EnumSet.noneOf(Topic.class);
        sorted.addAll(topics);
        return sorted;
    }

    /** Name of the role in user names and operations, such as {@code load-generator}; for a job, the job's name. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public RoleKind kind() {
        return kind;
    }

    /** Description of the role's processes, for people. */
    public String who() {
        return who;
    }

    /** Topics that the role reads, in the catalogue's order. */
    public Set<Topic> reads() {
        return reads;
    }

    /** Topics that the role writes, in the catalogue's order. */
    public Set<Topic> writes() {
        return writes;
    }

    /** Whether the role reads as a consumer group, {@code GROUP-WORD}. Roles without a group store no offsets. */
    public boolean hasGroup() {
        return kind == RoleKind.JOB || this == PURGE;
    }
}
