package io.kipimo.jobs.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.operators.quality.QueryJoinOperator;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JoinPathsTest {
    @Test
    void theChainedJoinNeedsEqualPartitionsChainingAndUnboundedInput() {
        Configuration unchained = new Configuration().set(PipelineOptions.OPERATOR_CHAINING, false);
        Configuration usual = new Configuration();

        assertThat(JoinPaths.whyNotLocal(usual, 4, 4, false)).isEmpty();
        assertThat(JoinPaths.whyNotLocal(usual, 4, 3, false))
                .hasValue("answers have 4 partitions and partials 3, which must be equal");
        assertThat(JoinPaths.whyNotLocal(unchained, 4, 4, false)).hasValue("operator chaining is disabled");
        assertThat(JoinPaths.whyNotLocal(usual, 4, 4, true)).hasValue("the source is bounded");
    }

    @ParameterizedTest
    @ValueSource(strings = {"query-join", "local-query-join"})
    void aSavepointOfAFormerJoinIsRefusedInOneLine(String uid, @TempDir Path savepoint) throws Exception {
        write(savepoint, uid);
        String pointer = savepoint.toUri().toString();
        assertThatThrownBy(() -> JoinPaths.requireReadable(pointer))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(("savepoint '%s' is of a job with a former join, which this version does not read; "
                                + "allowed: one of this version, or none, and the job continues at its committed offsets")
                        .formatted(pointer));
    }

    @Test
    void aSavepointOfThisVersionFitsEveryFeed(@TempDir Path savepoint, @TempDir Path empty) throws Exception {
        write(savepoint, QueryJoinOperator.UID);
        assertThatCode(() -> JoinPaths.requireReadable(savepoint.toUri().toString()))
                .doesNotThrowAnyException();
        assertThatCode(() -> JoinPaths.requireReadable(empty.toUri().toString()))
                .as("Flink says so")
                .doesNotThrowAnyException();
    }

    private static void write(Path savepoint, String uid) throws IOException {
        OperatorState operator = new OperatorState(uid, uid, new OperatorID(), 1, 128);
        try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(savepoint.resolve("_metadata")))) {
            Checkpoints.storeCheckpointMetadata(new CheckpointMetadata(1, List.of(operator), List.of()), out);
        }
    }
}
