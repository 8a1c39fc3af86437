package io.kipimo.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.jobs.admission.AdmissionJob;
import io.kipimo.jobs.invalidation.InvalidationJob;
import io.kipimo.jobs.invalidation.InvalidationJobs;
import io.kipimo.jobs.quality.QualityJob;
import io.kipimo.jobs.quality.QualityJobs;
import io.kipimo.jobs.rating.RatingJob;
import io.kipimo.jobs.replication.ReplicationJob;
import io.kipimo.jobs.submission.KipimoJob;
import io.kipimo.jobs.tails.TailsJob;
import io.kipimo.jobs.tails.TailsJobs;
import io.kipimo.jobs.ttl.TtlJob;
import io.kipimo.schemas.topics.Role;
import io.kipimo.schemas.topics.Topic;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.connector.kafka.lineage.DefaultKafkaDatasetFacet;
import org.apache.flink.connector.kafka.lineage.DefaultKafkaDatasetIdentifier;
import org.apache.flink.connector.kafka.lineage.KafkaDatasetFacet;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamEdge;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.streaming.api.lineage.LineageVertexProvider;
import org.apache.flink.streaming.api.transformations.SourceTransformation;
import org.apache.flink.streaming.runtime.partitioner.ForwardPartitioner;
import org.junit.jupiter.api.Test;

/**
 * A restore finds state by operator uid: an operator whose uid is missing or changed loses its state at the next
 * upgrade. Never edit a name in {@code operator-uids.txt}; only add names.
 */
class JobTopologyTest {
    private static final Configuration CONFIG =
            Configuration.fromMap(Map.of("kafka.bootstrap-servers", "localhost:1", "redis.host", "localhost"));

    /** The quality job refuses an option that only the admission job has. */
    private static Configuration withoutRedis() {
        return Configuration.fromMap(Map.of("kafka.bootstrap-servers", "localhost:1"));
    }

    private static StreamExecutionEnvironment environment() {
        return StreamExecutionEnvironment.getExecutionEnvironment(JobEnvironment.withDefaults(CONFIG));
    }

    private static List<String> uids(StreamExecutionEnvironment env) {
        return env.getStreamGraph(false).getStreamNodes().stream()
                .map(StreamNode::getTransformationUID)
                // Flink derives the committer's uid from the sink's.
                .filter(uid -> !uid.startsWith("Sink Committer: "))
                .toList();
    }

    @Test
    void everyOperatorKeepsItsUid() throws Exception {
        List<String> uids = new ArrayList<>();
        jobs(CONFIG).forEach((job, env) -> uids(env).forEach(uid -> uids.add(job + ' ' + uid)));
        assertThat(uids)
                .containsExactlyInAnyOrderElementsOf(
                        Files.readAllLines(Path.of("src/test/resources/operator-uids.txt")));
    }

    /** So a savepoint of one fits the other. */
    @Test
    void bothFeedsOfTheJoinHaveTheSameOperators() throws Exception {
        StreamExecutionEnvironment shuffled = environment();
        QualityJobs.define(shuffled, QualityJob.OPTIONS.read(withoutRedis()));
        StreamExecutionEnvironment chained = environment();
        QualityJobs.defineLocal(chained, QualityJob.OPTIONS.read(withoutRedis()));

        assertThat(uids(chained)).containsExactlyInAnyOrderElementsOf(uids(shuffled));
    }

    /** Covers every job. */
    private static Map<String, StreamExecutionEnvironment> jobs(Configuration settings) throws Exception {
        Map<String, StreamExecutionEnvironment> jobs = new TreeMap<>();
        for (String job : KipimoJob.names().split(", ")) {
            jobs.put(job, StreamExecutionEnvironment.getExecutionEnvironment(JobEnvironment.withDefaults(settings)));
        }
        QualityJobs.define(jobs.get("quality"), QualityJob.OPTIONS.read(withoutRedis()));
        AdmissionJob.define(jobs.get("admission"), AdmissionJob.OPTIONS.read(CONFIG.clone()));
        TailsJobs.define(jobs.get("tails"), TailsJob.OPTIONS.read(withoutRedis()));
        ReplicationJob.define(jobs.get("replication"), ReplicationJob.OPTIONS.read(CONFIG.clone()));
        RatingJob.define(jobs.get("rating"), RatingJob.OPTIONS.read(withoutRedis()));
        TtlJob.define(jobs.get("ttl"), TtlJob.OPTIONS.read(CONFIG.clone()));
        InvalidationJobs.define(jobs.get("invalidation"), InvalidationJob.OPTIONS.read(CONFIG.clone()));
        return jobs;
    }

    /** Brokers refuse a job what its role does not have. */
    @Test
    void theRoleOfAJobReadsAndWritesWhatItsTopologyDoes() throws Exception {
        Map<String, StreamExecutionEnvironment> jobs = jobs(CONFIG);
        StreamExecutionEnvironment local = environment();
        QualityJobs.defineLocal(local, QualityJob.OPTIONS.read(withoutRedis()));
        // Claims of epochs and the log that is read after a failure are not in the topology.
        Map<Role, Topic> besideWritten = Map.of(
                Role.ADMISSION, Topic.EPOCHS,
                Role.REPLICATION, Topic.EPOCHS,
                Role.INVALIDATION, Topic.EPOCHS);
        Map<Role, Topic> besideRead = Map.of(Role.INVALIDATION, Topic.INVALIDATIONS);

        assertThat(Arrays.stream(Role.values())
                        .filter(role -> role.kind() == Role.RoleKind.JOB)
                        .map(Role::word))
                .containsExactlyInAnyOrderElementsOf(jobs.keySet());
        jobs.forEach((name, env) -> {
            Role role = Role.valueOf(name.toUpperCase(Locale.ROOT));
            Set<Topic> writes = written(env);
            if (role == Role.QUALITY) {
                writes.addAll(written(local));
                // The sink of strays.
                writes.addAll(List.of(Topic.ANSWERS, Topic.PARTIALS));
            }
            Optional.ofNullable(besideWritten.get(role)).ifPresent(writes::add);
            Set<Topic> reads = read(env);
            Optional.ofNullable(besideRead.get(role)).ifPresent(reads::add);
            assertThat(role.writes()).as(name).isEqualTo(writes);
            assertThat(role.reads()).as(name).isEqualTo(reads);
        });
    }

    private static Set<Topic> written(StreamExecutionEnvironment env) {
        Set<Topic> topics = EnumSet.noneOf(Topic.class);
        List<String> uids = uids(env);
        Arrays.stream(Topic.values())
                .filter(topic -> uids.contains(topic.suffix() + "-sink"))
                .forEach(topics::add);
        return topics;
    }

    private static Set<Topic> read(StreamExecutionEnvironment env) {
        Set<Topic> topics = EnumSet.noneOf(Topic.class);
        for (Transformation<?> each : env.getTransformations()) {
            for (Transformation<?> before : each.getTransitivePredecessors()) {
                if (before instanceof SourceTransformation<?, ?, ?> source) {
                    names((LineageVertexProvider) source.getSource()).forEach(name -> topics.add(named(name)));
                }
            }
        }
        return topics;
    }

    private static List<String> names(LineageVertexProvider source) {
        return source.getLineageVertex().datasets().stream()
                .map(dataset -> dataset.facets().get(DefaultKafkaDatasetFacet.KAFKA_FACET_NAME))
                .map(facet -> ((KafkaDatasetFacet) facet).getTopicIdentifier())
                .flatMap(topics -> ((DefaultKafkaDatasetIdentifier) topics).getTopics().stream())
                .toList();
    }

    private static Topic named(String name) {
        return Arrays.stream(Topic.values())
                .filter(topic -> topic.name(Topic.DEFAULT_PREFIX).equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<StreamNode> nodes(StreamExecutionEnvironment env) {
        return List.copyOf(env.getStreamGraph(false).getStreamNodes());
    }

    /** A positive time-out starts a thread that wakes up for ever. */
    @Test
    void noTaskHasAFlusherAndWhatNoTimerFlushesIsFlushedAtOnce() throws Exception {
        for (Map.Entry<String, StreamExecutionEnvironment> job : jobs(CONFIG).entrySet()) {
            StreamGraph graph = job.getValue().getStreamGraph(false);
            int neverFlushed = 0;
            for (StreamNode node : graph.getStreamNodes()) {
                String what = job.getKey() + ": " + node.getOperatorName();
                assertThat(node.getBufferTimeout()).as(what).isLessThanOrEqualTo(0);
                boolean isWrittenTo = node.getOutEdges().stream().anyMatch(e -> !isForward(e));
                if (node.getBufferTimeout() == 0 || !isWrittenTo) {
                    continue;
                }
                neverFlushed++;
                // In one task with a separation.
                StreamNode upstream = node;
                while (!upstream.getTransformationUID().endsWith("-separation")) {
                    assertThat(upstream.getInEdges()).as(what).hasSize(1);
                    assertThat(isForward(upstream.getInEdges().get(0))).as(what).isTrue();
                    upstream = graph.getSourceVertex(upstream.getInEdges().get(0));
                }
            }
            assertThat(neverFlushed).as(job.getKey()).isPositive();
        }
    }

    private static boolean isForward(StreamEdge edge) {
        return edge.getPartitioner() instanceof ForwardPartitioner;
    }

    @Test
    void theUsersOwnFlushingStays() throws Exception {
        for (Map<String, String> own : List.of(
                Map.of("execution.buffer-timeout.interval", "0 ms"),
                Map.of("execution.buffer-timeout.enabled", "false"),
                Map.of("pipeline.operator-chaining.enabled", "false"))) {
            for (StreamExecutionEnvironment job :
                    jobs(Configuration.fromMap(own)).values()) {
                assertThat(nodes(job)).extracting(StreamNode::getBufferTimeout).containsOnly(job.getBufferTimeout());
            }
        }
    }

    @Test
    void fixedOptionsOverrideTheUsers() {
        Configuration user =
                Configuration.fromMap(Map.of("pipeline.generic-types", "true", "pipeline.max-parallelism", "7"));

        assertThat(JobEnvironment.withDefaults(user).toMap())
                .containsEntry("pipeline.generic-types", "false")
                .containsEntry("pipeline.auto-generate-uids", "false")
                .containsEntry("pipeline.max-parallelism", "128");
    }

    @Test
    void theUsersOwnCheckpointIntervalWins() {
        Configuration user = Configuration.fromMap(Map.of("execution.checkpointing.interval", "1 s"));

        assertThat(JobEnvironment.withDefaults(user).toMap()).containsEntry("execution.checkpointing.interval", "1 s");
    }

    /** Flink reads state that is not compressed byte by byte, one system call each. */
    @Test
    void stateIsCompressedUnlessTheUserSaysOtherwise() {
        assertThat(JobEnvironment.withDefaults(new Configuration()).get(ExecutionOptions.SNAPSHOT_COMPRESSION))
                .isTrue();
        Configuration user = Configuration.fromMap(Map.of("execution.checkpointing.snapshot-compression", "false"));
        assertThat(JobEnvironment.withDefaults(user).get(ExecutionOptions.SNAPSHOT_COMPRESSION))
                .isFalse();
    }

    /** {@code restart-strategy} is an older name of {@code restart-strategy.type}. */
    @Test
    void anOptionUnderItsOlderNameIsTheUsersToo() {
        Configuration user = Configuration.fromMap(Map.of("restart-strategy", "fixed-delay"));

        assertThat(JobEnvironment.withDefaults(user).get(RestartStrategyOptions.RESTART_STRATEGY))
                .isEqualTo("fixed-delay");
    }
}
