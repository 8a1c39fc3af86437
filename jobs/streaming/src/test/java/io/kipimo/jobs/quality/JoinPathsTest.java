package io.kipimo.jobs.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.kipimo.jobs.options.JoinPath;
import io.kipimo.jobs.options.KafkaOptions;
import io.kipimo.jobs.options.OptionSet.CommonOptions;
import io.kipimo.operators.quality.LocalQueryJoinOperator;
import io.kipimo.operators.quality.QueryJoinOperator;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.JobID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.HighAvailabilityOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.PipelineOptionsInternal;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JoinPathsTest {
    @Test
    void theLocalJoinNeedsEqualPartitionsTheHeapChainingAndUnboundedInput() {
        Configuration rocks = new Configuration().set(StateBackendOptions.STATE_BACKEND, "rocksdb");
        Configuration unchained = new Configuration().set(PipelineOptions.OPERATOR_CHAINING, false);
        Configuration usual = new Configuration();

        assertThat(JoinPaths.whyNotLocal(usual, 4, 4, false)).isEmpty();
        assertThat(JoinPaths.whyNotLocal(usual, 4, 3, false))
                .hasValue("answers have 4 partitions and partials 3, which must be equal");
        assertThat(JoinPaths.whyNotLocal(rocks, 4, 4, false)).hasValue("state is not on the heap but in rocksdb");
        assertThat(JoinPaths.whyNotLocal(unchained, 4, 4, false)).hasValue("operator chaining is disabled");
        assertThat(JoinPaths.whyNotLocal(usual, 4, 4, true)).hasValue("the source is bounded");
    }

    @Test
    void aSavepointTellsThePathOfItsJob(@TempDir Path savepoint) throws Exception {
        String pointer = savepoint.toUri().toString();
        write(savepoint, LocalQueryJoinOperator.UID);
        assertThat(JoinPaths.stored(pointer, JoinPath.AUTO)).hasValue(JoinPath.LOCAL);

        write(savepoint, QueryJoinOperator.UID);
        assertThat(JoinPaths.stored(pointer, JoinPath.AUTO)).hasValue(JoinPath.KEYED);

        write(savepoint, "admission");
        assertThat(JoinPaths.stored(pointer, JoinPath.AUTO)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"LOCAL, query-join, KEYED", "KEYED, local-query-join, LOCAL"})
    void aSavepointOfTheOtherPathIsRefused(JoinPath wanted, String uid, JoinPath stored, @TempDir Path savepoint)
            throws Exception {
        write(savepoint, uid);
        String pointer = savepoint.toUri().toString();
        assertThatThrownBy(() -> choose(from(pointer), wanted))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "join.path is %s, but savepoint '%s' is of a job with %s; allowed: %s or AUTO with this savepoint, or %s without one"
                                .formatted(wanted, pointer, stored, stored, wanted));
    }

    @Test
    void aKeyedSavepointIsFollowedWithoutLookingAtRecords(@TempDir Path savepoint) throws Exception {
        write(savepoint, QueryJoinOperator.UID);
        StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment(
                from(savepoint.toUri().toString())
                        .set(PipelineOptions.GLOBAL_JOB_PARAMETERS, Map.of("kipimo.job", "quality")));
        JoinPaths.of(env, options(), JoinPath.AUTO);
        assertThat(env.getConfiguration().get(PipelineOptions.GLOBAL_JOB_PARAMETERS))
                .containsOnly(
                        entry("kipimo.job", "quality"),
                        entry("kipimo.join-path", "KEYED, since the savepoint is of such a job"));
    }

    /** Flink's operator restarts a job so, and Flink ignores there what does not fit. */
    @Test
    void aJobThatMayContinueFromACheckpointThatNobodyHasSeenIsKeyed() throws Exception {
        Configuration flink = new Configuration()
                .set(HighAvailabilityOptions.HA_MODE, "kubernetes")
                .set(PipelineOptionsInternal.PIPELINE_FIXED_JOB_ID, new JobID().toHexString());
        assertThat(choose(flink, JoinPath.AUTO))
                .hasToString("KEYED, since the job may continue from a checkpoint in"
                        + " high-availability.type, whose path is not known");
    }

    private static Configuration from(String savepoint) {
        return new Configuration().set(StateRecoveryOptions.SAVEPOINT_PATH, savepoint);
    }

    private static JoinPaths.PathChoice choose(Configuration flink, JoinPath wanted) throws Exception {
        return JoinPaths.of(StreamExecutionEnvironment.getExecutionEnvironment(flink), options(), wanted);
    }

    /** No broker is there. */
    private static CommonOptions options() throws Exception {
        return QualityJob.OPTIONS
                .read(new Configuration().set(KafkaOptions.BOOTSTRAP_SERVERS.option(), "localhost:1"))
                .common();
    }

    private static void write(Path savepoint, String uid) throws IOException {
        OperatorState operator = new OperatorState(uid, uid, new OperatorID(), 1, 128);
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(savepoint.resolve("_metadata")))) {
            Checkpoints.storeCheckpointMetadata(new CheckpointMetadata(1, List.of(operator), List.of()), out);
        }
    }

    @Test
    void aSavepointThatCannotBeReadIsAnErrorIfItsPathMustBeKnown(@TempDir Path empty) {
        String pointer = empty.toUri().toString();
        assertThatThrownBy(() -> JoinPaths.stored(pointer, JoinPath.AUTO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("join.path is AUTO, but the path of savepoint")
                .hasMessageEndingWith("allowed: KEYED or LOCAL, as the job that wrote it");
        assertThat(JoinPaths.stored(pointer, JoinPath.LOCAL))
                .as("Flink says so")
                .isEmpty();
    }
}
