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
 * Facts about a running system.
 *
 * @param nowMillis time of reading, epoch milliseconds
 * @param brokers number of brokers
 * @param missingTopics full names of topics that do not exist
 * @param writersTimes full names of input topics that have the writers' times in place of append times
 * @param transactions open transactions in input topics
 * @param policies by service
 * @param fronts front ends that sent counts in the last minute, even if they counted no queries
 * @param sampled number of sampled answers in the last minute, by service
 * @param results number of partial results in the last minute, by service/component
 * @param late number of events of the last ten minutes that came after their query's window, by service and kind of
 *     event
 * @param lateAnswers number of sampled answers of the last minute that came late, by service
 * @param windows newest sliding window of the first metric, by service/class
 * @param decisions newest admission decisions, by controller/scope
 * @param deadLetters number of rejected records of the last ten minutes, by reason
 * @param places partitions to which writers sent answers and partial results; empty: one of the two topics is missing,
 *     or the topics have different numbers of partitions
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
     * @param answered number of answers in the last minute
     * @param aheadMillis least time by which its clock is ahead of the broker's; 0 or negative: it is not known to be
     *     ahead; {@link #UNKNOWN} without append times
     * @param classes classes of its queries; none: it is idle
     * @param components names of the components that it invoked
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
     * A job of the Flink cluster.
     *
     * @param name in Flink, such as {@code kipimo-quality}
     * @param job Kipimo's job of this name; empty: this version has no such job
     * @param lost number of steps and records that the job left out since its start, by their kind, such as
     *     {@code steps of service shop in quality-windows}
     * @param path how events come to the job's join; empty: the job has no join, or does not run
     * @param pathReason the path and its reason, as the job stated when it was submitted; empty: it stated none
     * @param execution how the job runs; empty: it does not run
     * @param dropped number of records for Redis that the job dropped since its start
     * @param droppedNow number of further records that it dropped while this program looked
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

        /** Name of an entry that stands for the cluster itself and has a problem as its state. */
        static final String CLUSTER = "Flink";
    }

    /**
     * How a job runs.
     *
     * @param parallelism parallelism of its widest task
     * @param maxParallelism greatest parallelism over which its state can be spread
     * @param checkpointMillis time between two checkpoints; empty: the job takes none
     * @param restarts number of restarts since the job was submitted; empty: not known
     */
    record Execution(int parallelism, int maxParallelism, OptionalLong checkpointMillis, OptionalLong restarts) {}

    /**
     * @param problem why the adapter does not answer; empty: it answers
     * @param oldestDecisionSeconds age of the oldest decision in force; NaN: the adapter applies none
     * @param lostFilterSeconds time until there is a filter of stale keys again; 0: it is there, or the adapter serves
     *     none
     * @param replays number of sampled queries that a gateway ran again
     * @param refusedReplays number of sampled queries that it did not run again, because the time for replays was used
     *     up
     * @param engineQueries number of queries that the engine behind a gateway counted; 0: it has no counter, or none
     *     came
     * @param sentQueries number of queries that the gateway sent in the same time
     * @param copies results of further requests for the same work, by listener and server
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
     * @param won number of copies whose response was used as the answer
     * @param lost number of copies whose response was not used
     */
    record CopyCount(String at, long won, long lost) {
        long ended() {
            return won + lost;
        }
    }
}
