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
     * A complete query was measured.
     *
     * @param onlineMillis until its answer
     * @param matureMillis until its last result, or of its replay; at least {@code onlineMillis}
     */
    default void onTimes(long onlineMillis, long matureMillis) {}

    /** Receives the result of an event. For a held event it comes later. */
    @Override
    default void onFate(SampledEvent event, JoinResult result) {}

    /**
     * An event is late although the log says that it is in time, since it was read so late that its query may have been
     * removed. Called before its result.
     */
    default void onOverdue() {}

    /** An event is of a query that is not measured, as the job samples its backlog; it has no result. */
    default void onSampledOut() {}

    /**
     * A query that began is not measured, because the job samples its backlog, and some event left open at which rate
     * the query began.
     */
    default void onSampledOutQuery() {}

    /** A query that began is not measured, because its service has no usable settings any more. */
    default void onEnd() {}

    /** The answers of a query could not be compared; its measurement says that it has none. */
    default void onFailure(QueryKey key, RuntimeException failure) {}

    /** A query has begun: an event showed that it is open. Called once a query. */
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
