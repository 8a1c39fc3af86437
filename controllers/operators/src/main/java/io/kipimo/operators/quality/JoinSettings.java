package io.kipimo.operators.quality;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.Policy;
import java.io.Serializable;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Settings of a join operator; Flink ships them with the job. */
public final class JoinSettings implements Serializable {
    private static final long serialVersionUID = 1L;

    private final HashMap<String, byte[]> knownPolicies = new HashMap<>();
    private final String topicPrefix;
    private final int profilesPerSecond;
    private final long backStopMillis;

    /**
     * @param knownPolicies policies at the time of submission, by service
     * @param topicPrefix prefix of the topic names in dead letters
     * @param profilesPerSecond greatest number of queries that a subtask profiles a second; 0: none
     * @param backStop idle time of all input, beyond the windows of the open queries, after which
     *     these are measured with the available events
     */
    public JoinSettings(
            Map<String, Policy> knownPolicies,
            String topicPrefix,
            int profilesPerSecond,
            Duration backStop) {
        knownPolicies.forEach((s, p) -> this.knownPolicies.put(s, Codecs.POLICY.encode(p)));
        this.topicPrefix = topicPrefix;
        this.profilesPerSecond = profilesPerSecond;
        this.backStopMillis = backStop.toMillis();
    }

    Map<String, Policy> knownPolicies() throws Exception {
        Map<String, Policy> known = new HashMap<>();
        for (Map.Entry<String, byte[]> one : knownPolicies.entrySet()) {
            known.put(one.getKey(), Codecs.POLICY.decode(one.getValue()));
        }
        return known;
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
}
