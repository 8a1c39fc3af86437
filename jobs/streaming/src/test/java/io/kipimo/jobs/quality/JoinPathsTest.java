package io.kipimo.jobs.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.jobs.options.JoinPath;
import io.kipimo.operators.quality.LocalQueryJoinOperator;
import io.kipimo.operators.quality.QueryJoinOperator;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.metadata.CheckpointMetadata;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JoinPathsTest {
    @Test
    void theLocalJoinNeedsEqualPartitionsTheHeapChainingAndUnboundedInput() {
        Configuration rocks = new Configuration().set(StateBackendOptions.STATE_BACKEND, "rocksdb");
        Configuration unchained = new Configuration().set(PipelineOptions.OPERATOR_CHAINING, false);
        Configuration usual = new Configuration();

        assertThat(JoinPaths.whyNotLocal(usual, 4, 4, false)).isEmpty();
        assertThat(JoinPaths.whyNotLocal(usual, 4, 3, false))
                .hasValue("answers have 4 partitions and partials 3, which must be equal");
        assertThat(JoinPaths.whyNotLocal(rocks, 4, 4, false))
                .hasValue("state is not on the heap but in rocksdb");
        assertThat(JoinPaths.whyNotLocal(unchained, 4, 4, false))
                .hasValue("operator chaining is disabled");
        assertThat(JoinPaths.whyNotLocal(usual, 4, 4, true)).hasValue("the source is bounded");
    }

    @Test
    void aSavepointTellsThePathOfItsJob(@TempDir Path savepoint) throws Exception {
        write(savepoint, LocalQueryJoinOperator.UID);
        assertThat(JoinPaths.stored(savepoint.toUri().toString())).isEqualTo(JoinPath.LOCAL);

        write(savepoint, QueryJoinOperator.UID);
        assertThat(JoinPaths.stored(savepoint.toUri().toString())).isEqualTo(JoinPath.KEYED);
    }

    private static void write(Path savepoint, String uid) throws IOException {
        OperatorState operator = new OperatorState(uid, uid, new OperatorID(), 1, 128);
        try (DataOutputStream out =
                new DataOutputStream(Files.newOutputStream(savepoint.resolve("_metadata")))) {
            Checkpoints.storeCheckpointMetadata(
                    new CheckpointMetadata(1, List.of(operator), List.of()), out);
        }
    }

    @Test
    void aSavepointThatCannotBeReadIsAnError(@TempDir Path empty) {
        assertThatThrownBy(() -> JoinPaths.stored(empty.toUri().toString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("join.path is AUTO, but the path of savepoint")
                .hasMessageEndingWith("allowed: KEYED or LOCAL, as the job that wrote it");
    }
}
