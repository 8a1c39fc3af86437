package io.kipimo.core.quality.join;

import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import java.util.Optional;

/** Receives the output of a {@link JoinEngine}. */
public interface JoinOutput extends JoinResult.Listener {
    /**
     * Receives the measurement of a query, once a query. The low end of an EXPIRED measurement is 0;
     * {@link ContributionBounds#complete} raises it.
     *
     * @param measuredBeforeMillis event time such that this engine has by now measured every query that started before
     *     it; argument of {@link ContributionBounds#complete}
     */
    void onMeasurement(Measurement measurement, long measuredBeforeMillis);

    /** Receives the number of further results of a measured query from components that its answer does not name. */
    default void onUnnamedResults(int results) {}

    /**
     * Receives the times of a complete query that was measured, milliseconds.
     *
     * @param onlineMillis time from its start to its answer
     * @param matureMillis time from its start to its last result, or duration of its replay; at least
     *     {@code onlineMillis}
     */
    default void onTimes(long onlineMillis, long matureMillis) {}

    /** Receives the result of an event. A held event gets its result with a later event, or when its window ends. */
    @Override
    default void onFate(SampledEvent event, JoinResult result) {}

    /**
     * Notes an event that counts as late although it is in time by the log: it was read so late that its query may have
     * been removed. Called before {@link #onFate} for this event.
     */
    default void onOverdue() {}

    /** Notes an event, without a result, of a query that is not measured because the job samples its backlog. */
    default void onSampledOut() {}

    /**
     * Notes a query that began but is not measured, because the job samples its backlog. Its events did not tell at
     * which sampling rate it began.
     */
    default void onSampledOutQuery() {}

    /** Notes a query that began but is not measured, because its service has no usable settings any more. */
    default void onEnd() {}

    /** Notes that a query's answers could not be compared; its measurement is NOT_MEASURABLE. */
    default void onFailure(QueryKey key, RuntimeException failure) {}

    /** Notes that a query has begun: an event showed that it is open. Called once a query. */
    default void onBegin(QueryKey key) {}

    /**
     * Receives a measured query with all the results that can arrive. The engine discards them when this returns.
     * Called only by an engine that keeps results, at most once a query.
     *
     * @param query query whose results can be read during this call
     * @param measurement present if the query was measured just now; empty for a clean query, whose results came after
     *     its measurement
     */
    default void onResults(QueryKey key, OpenQuery query, Optional<Measurement> measurement) {}
}
