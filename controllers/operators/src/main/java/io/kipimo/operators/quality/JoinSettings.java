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
     * @param backStop idle time of all input, beyond the windows of the open queries, after which these are measured
     *     with the available events
     * @param backlog sampling of the queries while a local join is behind
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
