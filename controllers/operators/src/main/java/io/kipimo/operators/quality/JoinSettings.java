package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.BacklogSampling;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.schemas.policy.Policy;
import java.io.Serializable;
import java.time.Duration;
import java.util.Map;

/** Settings of a join operator; Flink ships them with the job, a copy to each subtask. */
public record JoinSettings(
        PolicyBook<QualitySettings> policies,
        ClassFold classes,
        String topicPrefix,
        int profilesPerSecond,
        long backStopMillis,
        BacklogSampling.BacklogSettings backlog)
        implements Serializable {
    /**
     * @param knownPolicies policies at the time of submission, by service
     * @param topicPrefix prefix of the topic names in dead letters
     * @param profilesPerSecond greatest number of queries that a subtask profiles a second; 0: none
     * @param backStop how long all input must be idle, beyond the windows of the open queries, until the open queries
     *     are measured with the available events
     * @param backlog how queries are sampled while a join in the source's task is behind the end of the log
     */
    public JoinSettings(
            Map<String, Policy> knownPolicies,
            String topicPrefix,
            int profilesPerSecond,
            Duration backStop,
            BacklogSampling.BacklogSettings backlog) {
        this(
                new PolicyBook<>(knownPolicies, QualitySettings::of),
                new ClassFold(knownPolicies),
                topicPrefix,
                profilesPerSecond,
                backStop.toMillis(),
                backlog);
    }
}
