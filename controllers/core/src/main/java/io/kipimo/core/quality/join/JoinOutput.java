package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import java.util.Optional;

/** Takes what a {@link JoinEngine} makes of its events. */
public interface JoinOutput extends JoinResult.Listener {
    /**
     * A query is measured; this happens once a query. An EXPIRED measurement has its low end at 0,
     * and {@link ContributionBounds#complete} raises it.
     *
     * @param measuredBeforeMillis event time before which every query of this engine was measured,
     *     when this one was; what {@link ContributionBounds#complete} takes
     */
    void onMeasurement(Measurement measurement, long measuredBeforeMillis);

    /**
     * Results of a measured query came, now or before, of components that its answer does not name.
     */
    default void onUnnamedResults(int results) {}

    /** The fate of an event is decided. An event that is held has none until later. */
    @Override
    default void onFate(SampledEvent event, JoinResult fate) {}

    /** An event showed that a query is open; this happens once a query. */
    default void onBegin(QueryKey key) {}

    /**
     * The results of a measured query are all there, or will not come. The engine lets go of them
     * when this returns. Called only by an engine that keeps results, at most once a query.
     *
     * @param query whose results can be read during this call
     * @param measurement if the query was measured just now; empty for one that was clean, whose
     *     results came after its measurement
     */
    default void onResults(QueryKey key, OpenQuery query, Optional<Measurement> measurement) {}
}
