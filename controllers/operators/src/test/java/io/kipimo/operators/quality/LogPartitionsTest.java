package io.kipimo.operators.quality;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which subtask has which partitions. */
class LogPartitionsTest {
    private static final int MAX_PARALLELISM = 128;

    private static int[] loads(int partitions, int parallelism) {
        int[] loads = new int[parallelism];
        for (int partition = 0; partition < partitions; partition++) {
            loads[new HashPartitions(partitions).owner(partition, parallelism, MAX_PARALLELISM)]++;
        }
        return loads;
    }

    @Test
    void partitionsAreSpreadEvenly() {
        for (int partitions = 1; partitions <= MAX_PARALLELISM; partitions++) {
            for (int parallelism = 1; parallelism <= partitions; parallelism++) {
                int[] loads = loads(partitions, parallelism);
                int least = partitions / parallelism;
                int slack = partitions % parallelism == 0 ? 0 : 1;
                assertThat(Arrays.stream(loads).max().orElseThrow())
                        .as("most of %d partitions at parallelism %d", partitions, parallelism)
                        .isLessThanOrEqualTo(least + 2 * slack);
                assertThat(Arrays.stream(loads).min().orElseThrow())
                        .as("least of %d partitions at parallelism %d", partitions, parallelism)
                        .isGreaterThanOrEqualTo(least - slack);
            }
        }
    }

    /** Flink allows more partitions than key groups, and more subtasks than partitions. */
    @Test
    void everyPartitionHasASubtaskAtAnyNumbers() {
        for (int partitions : new int[] {1, 5, 127, 129, 200, 1000}) {
            for (int parallelism : new int[] {1, 3, 8, 100, 128}) {
                assertThat(Arrays.stream(loads(partitions, parallelism)).sum()).isEqualTo(partitions);
            }
        }
    }

    /** As even as Flink's key groups allow. */
    @Test
    void morePartitionsThanKeyGroupsAreSpreadEvenly() {
        for (int partitions : new int[] {129, 200, 256, 320, 1000, 1280}) {
            for (int parallelism : new int[] {1, 2, 3, 8, 64, 100, 128}) {
                int ofKeyGroup = (partitions + MAX_PARALLELISM - 1) / MAX_PARALLELISM;
                int keyGroups = (MAX_PARALLELISM + parallelism - 1) / parallelism;
                assertThat(Arrays.stream(loads(partitions, parallelism)).max().orElseThrow())
                        .as("most of %d partitions at parallelism %d", partitions, parallelism)
                        .isLessThanOrEqualTo(ofKeyGroup * keyGroups);
            }
        }
    }

    @Test
    void doublingKeepsFormerKeyGroupsAndSubtasks() {
        for (int former = 1; former <= MAX_PARALLELISM / 2; former++) {
            for (int partition = 0; partition < former; partition++) {
                assertThat(LogPartitions.keyGroup(partition, 2 * former, MAX_PARALLELISM))
                        .isEqualTo(LogPartitions.keyGroup(partition, former, MAX_PARALLELISM));
            }
            HashPartitions doubled = new HashPartitions(2 * former);
            for (int parallelism = 1; parallelism <= former; parallelism++) {
                if (former % parallelism == 0) {
                    assertThat(doubled.greatestParallelism(former, parallelism, MAX_PARALLELISM))
                            .as("%d partitions, parallelism %d", former, parallelism)
                            .isEqualTo(parallelism);
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"4, 4, 8, 8", "4, 8, 8, 4", "4, 8, 3, 2", "4, 16, 4, 4", "3, 6, 3, 3", "4, 6, 8, 1"})
    void noQueryLeavesItsSubtaskAtTheGreatestParallelism(int former, int partitions, int most, int expected) {
        assertThat(new HashPartitions(partitions).greatestParallelism(former, most, MAX_PARALLELISM))
                .isEqualTo(expected);
    }

    @Test
    void everyKeyGroupHasItsKeys() {
        int[][] keys = LogPartitions.keys(MAX_PARALLELISM, 256);
        for (int keyGroup = 0; keyGroup < MAX_PARALLELISM; keyGroup++) {
            assertThat(keys[keyGroup]).hasSize(256).doesNotHaveDuplicates();
            for (int key : keys[keyGroup]) {
                assertThat(KeyGroupRangeAssignment.assignToKeyGroup(key, MAX_PARALLELISM))
                        .isEqualTo(keyGroup);
            }
        }
        int[][] former = LogPartitions.keys(MAX_PARALLELISM, 1);
        for (int keyGroup = 0; keyGroup < MAX_PARALLELISM; keyGroup++) {
            assertThat(former[keyGroup][0])
                    .as("savepoints with one key a key group")
                    .isEqualTo(keys[keyGroup][0]);
        }
    }
}
