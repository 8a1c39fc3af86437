package io.kipimo.jobs.flink;

import io.kipimo.kafka.KafkaSources;
import io.kipimo.operators.quality.QueryJoinOperator;
import java.util.HashSet;
import java.util.Set;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.streaming.api.transformations.PhysicalTransformation;
import org.apache.flink.streaming.api.transformations.SideOutputTransformation;
import org.apache.flink.streaming.api.transformations.SourceTransformation;

/**
 * Replaces Flink's flusher threads. Flink starts one for each output of each task, which wakes every few milliseconds
 * for as long as the job runs. Here, tasks of sources, through which all records pass, flush by their own timer when
 * there is something to flush ({@link KafkaSources}). All other tasks flush after each record. Under load, this only
 * sets a flag that is already set.
 *
 * <p>If the user sets {@code execution.buffer-timeout.interval} to 0 or disables it, or disables operator chaining,
 * Flink's own flushing stays.
 */
public final class FlushOnDemand {
    private FlushOnDemand() {}

    /** Configures flushing. Must be called after all operators are defined. */
    public static void of(StreamExecutionEnvironment env) {
        if (env.getBufferTimeout() <= 0 || !env.isChainingEnabled()) {
            return;
        }
        Set<Transformation<?>> all = new HashSet<>();
        env.getTransformations().forEach(t -> all.addAll(t.getTransitivePredecessors()));
        for (Transformation<?> each : all) {
            if (each instanceof PhysicalTransformation && !isInTaskOfSource(each)) {
                each.setBufferTimeout(0);
            }
        }
        env.setBufferTimeout(ExecutionOptions.DISABLED_NETWORK_BUFFER_TIMEOUT);
    }

    /**
     * Tells whether a transformation is in the task of a source that flushes by its own timer. The join does not count,
     * because it has little output for other tasks.
     */
    private static boolean isInTaskOfSource(Transformation<?> each) {
        if (QueryJoinOperator.UID.equals(each.getUid())) {
            return false;
        }
        if (each instanceof SourceTransformation) {
            return true;
        }
        boolean isChained = each instanceof OneInputTransformation || each instanceof SideOutputTransformation;
        return isChained
                && each.getParallelism() == each.getInputs().get(0).getParallelism()
                && isInTaskOfSource(each.getInputs().get(0));
    }
}
