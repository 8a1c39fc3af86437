package io.kipimo.cli.whatif;

import io.kipimo.core.whatif.RecordedEvents;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.replication.ReplicationDecision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/** Collects the recorded records of one service, while they are read. */
final class RecordedHistory {
    private final String service;
    private final List<Answer> answers = new ArrayList<>();
    private final List<PartialResult> partials = new ArrayList<>();
    private final List<Observation> observations = new ArrayList<>();
    private final List<QualityWindow> windows = new ArrayList<>();
    private final List<Decision> admission = new ArrayList<>();
    private final List<Decision> sampling = new ArrayList<>();
    private final List<ReplicationDecision> replication = new ArrayList<>();
    private final List<FanOutPublication> fanOut = new ArrayList<>();
    private final TreeMap<Long, Policy> policies = new TreeMap<>();

    /** Partition of a query's events. Files do not state it, so the default is 0. */
    private ToIntFunction<QueryKey> partitionOf = key -> 0;

    RecordedHistory(String service) {
        this.service = service;
    }

    /** Sets the function that gives the partition of a query's events in the log. */
    void partitionedBy(ToIntFunction<QueryKey> partitions) {
        partitionOf = partitions;
    }

    /** Adds a record of this service and ignores all others. */
    void add(Object record) {
        if (record instanceof Answer answer && answer.service().equals(service)) {
            answers.add(answer);
        } else if (record instanceof PartialResult partial && partial.service().equals(service)) {
            partials.add(partial);
        } else if (record instanceof Observation second && second.service().equals(service)) {
            observations.add(second);
        } else if (record instanceof QualityWindow window && window.service().equals(service)) {
            windows.add(window);
        } else if (record instanceof FanOutPublication publication
                && publication.service().equals(service)) {
            fanOut.add(publication);
        } else if (record instanceof Policy policy && policy.service().equals(service)) {
            // If two policies have the same version, the first one counts.
            policies.putIfAbsent(policy.version(), policy);
        } else if (record instanceof ReplicationDecision decision
                && decision.service().equals(service)) {
            replication.add(decision);
        } else if (record instanceof Decision decision) {
            if (decision.controller().equals(Decision.ADMISSION)
                    && decision.scope().startsWith(service + '/')) {
                admission.add(decision);
            } else if (decision.controller().equals(Decision.SAMPLING)
                    && decision.scope().equals(service)) {
                sampling.add(decision);
            }
        }
    }

    RecordedEvents events() {
        return new RecordedEvents(answers, partials, observations);
    }

    ToIntFunction<QueryKey> partitionOf() {
        return partitionOf;
    }

    List<QualityWindow> windows() {
        return windows;
    }

    List<Decision> admission() {
        return admission;
    }

    List<Decision> sampling() {
        return sampling;
    }

    List<ReplicationDecision> replication() {
        return replication;
    }

    List<FanOutPublication> fanOut() {
        return fanOut;
    }

    Optional<Policy> policy(long version) {
        return Optional.ofNullable(policies.get(version));
    }

    Optional<Policy> newestPolicy() {
        return Optional.ofNullable(policies.lastEntry()).map(entry -> entry.getValue());
    }
}
