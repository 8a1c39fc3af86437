package io.kipimo.simulator.control;

import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.fanout.model.ContributionLearner;
import io.kipimo.core.quality.fanout.model.ContributionLearning;
import io.kipimo.core.quality.fanout.model.FanOutChoice;
import io.kipimo.core.quality.fanout.model.FanOutChoice.Reason;
import io.kipimo.core.quality.fanout.model.FanOutPublisher;
import io.kipimo.core.quality.fanout.model.FanOutSample;
import io.kipimo.core.quality.fanout.model.PublishedFanOut;
import io.kipimo.core.sampling.Exploration;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutState;
import io.kipimo.schemas.field.ServiceClass;
import io.kipimo.schemas.policy.FanOutPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Features;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Chooses which components the queries of one class ask. The model is learned and published as in the quality job, and
 * used as in the SDK.
 */
final class FanOutPlane {
    /**
     * Limit of the samples between two calls of {@link #slide}, as in the job. Further queries replace earlier ones.
     */
    private static final long MOST_SAMPLES = 1_024;

    private final Policy policy;
    private final ServiceClass scope;
    private final Map<Long, FanOutSample> samples = new TreeMap<>();
    private Optional<ContributionLearner> learner = Optional.empty();
    private Optional<FanOutPublication> published = Optional.empty();
    private Optional<PublishedFanOut> inForce = Optional.empty();

    FanOutPlane(Policy policy, String queryClass) {
        this.policy = policy;
        this.scope = new ServiceClass(policy.service(), queryClass);
    }

    /** Takes the profile of a measured query, all of whose results came. */
    void profiled(QueryProfile profile) {
        boolean isChoosing = published.filter(p -> p.state() == FanOutState.ON).isPresent();
        if (!isChoosing
                || Exploration.isExplored(
                        profile.explorationRandomness(), published.get().exploration())) {
            FanOutSample.of(profile)
                    .ifPresent(sample -> samples.put(Math.floorMod(profile.profiledAtMillis(), MOST_SAMPLES), sample));
        }
    }

    /**
     * Learns from the queries since the last call. Returns the publication that follows from that, if any.
     *
     * @param nowMillis event time
     */
    Optional<FanOutPublication> slide(long nowMillis) {
        if (!samples.isEmpty()) {
            learner = Optional.of(ContributionLearning.learn(
                    learner,
                    policy.service(),
                    samples.values(),
                    policy.fanOut().map(FanOutPolicy::costs).orElse(List.of())));
            samples.clear();
        }
        Optional<FanOutPublication> next =
                FanOutPublisher.next(published, learner, policy, scope, policy.slideMillis(), nowMillis);
        next.ifPresent(p -> published = next);
        return next;
    }

    /** Takes a publication that has arrived at the front end. */
    void offer(FanOutPublication publication) {
        inForce = Optional.of(new PublishedFanOut(publication));
    }

    /** Share of all queries that are explored now, 0..1. */
    double explorationAt(long nowMillis) {
        return inForce.map(p -> p.explorationAt(nowMillis)).orElse(0.0);
    }

    FanOutChoice choose(String queryId, Features features, List<String> components, long nowMillis) {
        return inForce.map(p -> p.choose(queryId, features.hashes(), components, nowMillis))
                .orElseGet(() -> FanOutChoice.all(components, Reason.NOT_PUBLISHED));
    }
}
