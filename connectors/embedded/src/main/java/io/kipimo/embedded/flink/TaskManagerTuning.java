package io.kipimo.embedded.flink;

import java.util.List;
import org.apache.flink.configuration.TaskManagerOptions.TaskManagerLoadBalanceMode;

/**
 * Memory sizes and JVM options of TaskManagers.
 *
 * @param heapMebibytes whole heap, including Flink's own share
 * @param managedMebibytes memory outside the heap, for RocksDB
 * @param balance how a job that needs fewer slots than there are is spread over TaskManagers
 * @param jvmArguments JVM arguments in addition to those of every process
 */
record TaskManagerTuning(
        int heapMebibytes, int managedMebibytes, TaskManagerLoadBalanceMode balance, List<String> jvmArguments) {
    /** For processes that live for one test: little compilation, few threads. */
    static final List<String> SHORT_LIVED_JVM = List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    static final TaskManagerTuning SHORT_LIVED =
            new TaskManagerTuning(512, 64, TaskManagerLoadBalanceMode.NONE, SHORT_LIVED_JVM);

    /** Returns the tuning that docs/performance.md recommends: half of the heap for the young generation. */
    static TaskManagerTuning forThroughput(int heapMebibytes) {
        return new TaskManagerTuning(
                heapMebibytes,
                heapMebibytes / 4,
                TaskManagerLoadBalanceMode.SLOTS,
                List.of(
                        "-Xms" + heapMebibytes + "m",
                        "-Xmx" + heapMebibytes + "m",
                        "-Xmn" + heapMebibytes / 2 + "m",
                        "-XX:+UseParallelGC"));
    }
}
