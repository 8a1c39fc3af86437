package io.kipimo.operators.quality;

import io.kipimo.core.quality.deadline.ProfileSettings;
import io.kipimo.core.quality.join.BacklogSampling;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.operators.policy.PolicyBook;
import io.kipimo.schemas.policy.Policy;
import java.io.Serializable;
import java.time.Duration;
import java.util.Map;

/** Settings of a join operator; Flink ships them with the job, a copy to each subtask. */
public final class JoinSettings implements Serializable {
    private static final long serialVersionUID = 1L;

    private final PolicyBook<QualitySettings> policies;
    private final PolicyBook<ProfileSettings> profileSettings;
    private final ClassFold classes;
    private final String topicPrefix;
    private final int profilesPerSecond;
    private final long backStopMillis;
    private final BacklogSampling.Settings backlog;

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
            BacklogSampling.Settings backlog) {
        this.policies = new PolicyBook<>(knownPolicies, QualitySettings::of);
        this.profileSettings = new PolicyBook<>(knownPolicies, ProfileSettings::of);
        this.classes = new ClassFold(knownPolicies);
        this.topicPrefix = topicPrefix;
        this.profilesPerSecond = profilesPerSecond;
        this.backStopMillis = backStop.toMillis();
        this.backlog = backlog;
    }

    PolicyBook<QualitySettings> policies() {
        return policies;
    }

    PolicyBook<ProfileSettings> profileSettings() {
        return profileSettings;
    }

    ClassFold classes() {
        return classes;
    }

    String topicPrefix() {
        return topicPrefix;
    }

    int profilesPerSecond() {
        return profilesPerSecond;
    }

    long backStopMillis() {
        return backStopMillis;
    }

    BacklogSampling.Settings backlog() {
        return backlog;
    }
}
