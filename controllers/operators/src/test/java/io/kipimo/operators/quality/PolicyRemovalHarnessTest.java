package io.kipimo.operators.quality;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.join.Events;
import io.kipimo.core.quality.join.PartitionTime;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.JoinInput;
import java.time.Duration;
import java.util.List;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.junit.jupiter.api.Test;

/** A policy is removed while the join runs. */
class PolicyRemovalHarnessTest {
    private static JoinHarness join() throws Exception {
        return JoinHarness.of(
                Events.policy(),
                Duration.ofMinutes(1),
                new HashPartitions(1),
                new PartitionTime.Tolerance(2_000, 10_000),
                128,
                1,
                0);
    }

    private static JoinInput policy(Policy policy) {
        return new PolicyInput(policy);
    }

    /** An open query: its late result is awaited. */
    private static JoinInput answer() {
        return Events.answer(Events.timedOut("a"));
    }

    @Test
    void measuringEndsWithoutADeadLetter() throws Exception {
        try (var join = join()) {
            join.open();
            join.read(answer(), Events.START);
            join.read(policy(PolicyBook.removal("shop")), 0);
            join.read(Events.mature("a", 1), Events.START);
            join.processWatermark(new Watermark(Events.START + 100_000));
            assertThat(join.extractOutputValues()).isEmpty();
            assertThat(join.getSideOutput(QueryJoinOperator.DEAD_LETTERS_OUTPUT))
                    .isNullOrEmpty();
        }
    }

    @Test
    void aPolicyOfAnyVersionBeginsAnew() throws Exception {
        try (var join = join()) {
            join.open();
            join.read(policy(Events.policy().withVersion(7)), 0);
            join.read(policy(PolicyBook.removal("shop")), 0);
            join.read(policy(Events.policy().withVersion(1)), 0);
            join.read(answer(), Events.START);
            join.processWatermark(new Watermark(Events.START + 100_000));
            assertThat(join.extractOutputValues()).hasSize(1);
        }
    }

    /** The policies that the job was submitted with still have it. */
    @Test
    void aRestartForgetsNoRemoval() throws Exception {
        OperatorSubtaskState state;
        try (var join = join()) {
            join.open();
            join.read(policy(PolicyBook.removal("shop")), 0);
            state = join.snapshot(1, 1);
        }
        try (var join = join()) {
            JoinHarness.open(join, List.of(state), 128, 1, 0);
            join.read(answer(), Events.START);
            join.processWatermark(new Watermark(Events.START + 100_000));
            assertThat(join.extractOutputValues()).isEmpty();
            assertThat(join.getSideOutput(QueryJoinOperator.DEAD_LETTERS_OUTPUT))
                    .isNullOrEmpty();
        }
    }
}
