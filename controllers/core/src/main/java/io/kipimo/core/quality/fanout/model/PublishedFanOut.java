package io.kipimo.core.quality.fanout.model;

import io.kipimo.core.quality.fanout.model.FanOutChoice.Reason;
import io.kipimo.core.sampling.Exploration;
import io.kipimo.schemas.fanout.FanOutPublication;
import io.kipimo.schemas.fanout.FanOutState;
import java.util.List;
import java.util.Optional;

/** A {@link FanOutPublication} in the form that a front end uses. Immutable; takes no lock. */
public final class PublishedFanOut {
    private final FanOutPublication publication;
    private final Optional<ContributionModel> model;
    private final double price;

    public PublishedFanOut(FanOutPublication publication) {
        this.publication = publication;
        this.model = publication
                .model()
                .map(table -> ContributionModel.of(
                        publication.service(), publication.version(), publication.learnedAtMillis(), table));
        this.price = publication.price() > 0 ? publication.price() : Double.POSITIVE_INFINITY;
    }

    public FanOutPublication publication() {
        return publication;
    }

    /** Share of the queries that are explored: they ask all components, and are always sampled; 0 if all queries do. */
    public double explorationAt(long nowMillis) {
        return model.isPresent() && nowMillis < publication.validUntilMillis() ? publication.exploration() : 0;
    }

    /**
     * The components to ask. The query id alone decides whether the query is explored, before a choice is made.
     *
     * @param features hashes of what is known of the query before it asks
     * @param components all components of the service
     */
    public FanOutChoice choose(String queryId, long[] features, List<String> components, long nowMillis) {
        if (nowMillis >= publication.validUntilMillis()) {
            return FanOutChoice.all(components, Reason.EXPIRED);
        }
        if (model.isEmpty()) {
            return FanOutChoice.all(components, Reason.OFF);
        }
        if (Exploration.isExplored(queryId, publication.exploration())) {
            return FanOutChoice.all(components, Reason.EXPLORED);
        }
        FanOutChoice choice = FanOutChoice.choose(model.get(), features, components, price, publication.floor());
        return publication.state() == FanOutState.ON
                ? choice
                : new FanOutChoice(List.copyOf(components), 1, Reason.SHADOW, Optional.of(choice));
    }
}
