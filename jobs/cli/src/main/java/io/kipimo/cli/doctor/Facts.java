package io.kipimo.cli.doctor;

import io.kipimo.core.quality.window.DecisionTrail;
import io.kipimo.jobs.options.JoinPath;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.kafka.WriterPlaces;
import io.kipimo.schemas.deadletter.RejectionReason;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.field.WithBuilder;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.sdk.internal.kafka.OpenTransaction;
import io.soabase.recordbuilder.core.RecordBuilder.Initializer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is known of a running system.
 *
 * @param nowMillis time of reading, epoch milliseconds
 * @param brokers number of brokers
 * @param missingTopics full names
 * @param writersTimes full names of input topics without append times
 * @param transactions open ones in input topics
 * @param policies by service
 * @param fronts front ends that sent counts in the last minute, of queries or of none
 * @param sampled sampled answers in the last minute, by service
 * @param results partial results in the last minute, by service/component
 * @param late number of events of the last ten minutes that came after their query's window, by service and kind of
 *     event
 * @param lateAnswers sampled answers of the last minute that came late, by service
 * @param windows newest sliding window of the first metric, by service/class
 * @param decisions newest admission decisions, by controller/scope
 * @param deadLetters records of the last ten minutes, by reason
 * @param places where writers put answers and partial results; empty: the topics differ, or are missing
 * @param jobs jobs of a Flink cluster; empty: no cluster was named
 * @param adapters adapters whose metrics were asked for
 */
@WithBuilder
record Facts(
        long nowMillis,
        int brokers,
        List<String> missingTopics,
        List<String> writersTimes,
        @Initializer(source = List.class, value = "of") List<OpenTransaction> transactions,
        Map<String, Policy> policies,
        List<Front> fronts,
        Map<String, Long> sampled,
        Map<String, Long> results,
        @Initializer(source = Map.class, value = "of") Map<String, Map<String, Long>> late,
        @Initializer(source = Map.class, value = "of") Map<String, Long> lateAnswers,
        Map<ServiceClass, QualityWindow> windows,
        Map<String, DecisionTrail> decisions,
        Map<RejectionReason, Long> deadLetters,
        Optional<WriterPlaces> places,
        Optional<List<Job>> jobs,
        List<Adapter> adapters) {

    /**
     * One front end of a service.
     *
     * @param answered answers in the last minute
     * @param aheadMillis how far its clock is ahead of the broker's, at least; negative or 0: not; {@link #UNKNOWN}
     *     without append times
     * @param classes classes of its queries; none: it is idle
     * @param components names that it invoked
     * @param safeFractions fractions that the front end applies without a valid decision, by class; classes for which
     *     it stated none are missing
     */
    record Front(
            String service,
            String server,
            long answered,
            long aheadMillis,
            List<String> classes,
            List<String> components,
            Map<String, Double> safeFractions) {
        static final long UNKNOWN = Long.MIN_VALUE;
    }

    /**
     * A job of the cluster.
     *
     * @param name in Flink, such as {@code kipimo-quality}
     * @param job which it is; empty: none of this version
     * @param lost steps and records that the job left out since its start, by their kind, such as
     *     {@code quality-windows of service shop}
     * @param path how events come to its join; empty: it has none, or does not run
     * @param pathReason the path and why, as the job said when it was submitted; empty: it did not
     * @param execution empty: it does not run
     * @param dropped records for Redis that the job dropped since its start
     * @param droppedNow how many more it dropped while this program looked
     */
    record Job(
            String name,
            String state,
            Optional<KipimoJob> job,
            Map<String, Long> lost,
            Optional<JoinPath> path,
            String pathReason,
            Optional<Execution> execution,
            long dropped,
            long droppedNow) {
        Job(
                String name,
                String state,
                Optional<KipimoJob> job,
                Map<String, Long> lost,
                Optional<JoinPath> path,
                String pathReason,
                Optional<Execution> execution) {
            this(name, state, job, lost, path, pathReason, execution, 0, 0);
        }

        Job(String name, String state) {
            this(name, state, Map.of(), Optional.empty());
        }

        Job(String name, String state, Map<String, Long> lost, Optional<JoinPath> path) {
            this(name, state, KipimoJob.ofFlink(name), lost, path, "", Optional.empty());
        }

        Job withDroppedNow(long more) {
            return new Job(name, state, job, lost, path, pathReason, execution, dropped, more);
        }

        /** Stands for the cluster itself, with a problem as its state. */
        static final String CLUSTER = "Flink";
    }

    /**
     * How a job runs.
     *
     * @param parallelism of its widest task
     * @param maxParallelism greatest that its state can be spread over
     * @param checkpointMillis time between two checkpoints; empty: it takes none
     * @param restarts since it was submitted; empty: not known
     */
    record Execution(int parallelism, int maxParallelism, OptionalLong checkpointMillis, OptionalLong restarts) {}

    /**
     * @param problem why it does not answer; empty: it does
     * @param oldestDecisionSeconds age of the oldest decision in force; NaN: it applies none
     * @param lostFilterSeconds until there is a filter of stale keys again; 0: it is there, or not of this adapter
     * @param replays sampled queries that a gateway ran again
     * @param refusedReplays those that it did not, because replays have a budget of time
     * @param engineQueries queries that the engine behind a gateway counted itself; 0: it has no counter, or none came
     * @param sentQueries those of the gateway in the same time
     * @param copies what further requests for the same work brought, by listener and server
     */
    record Adapter(
            String url,
            String problem,
            boolean disconnected,
            double oldestDecisionSeconds,
            double lostFilterSeconds,
            long replays,
            long refusedReplays,
            long engineQueries,
            long sentQueries,
            List<CopyCount> copies) {
        static Adapter silent(String url, String problem) {
            return new Adapter(url, problem, false, Double.NaN, 0, 0, 0, 0, 0, List.of());
        }
    }

    /**
     * @param at labels of the listener and the server
     * @param won copies whose response was the answer
     * @param lost the others
     */
    record CopyCount(String at, long won, long lost) {
        long ended() {
            return won + lost;
        }
    }
}
