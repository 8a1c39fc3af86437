package io.kipimo.simulator.control;

import io.kipimo.core.quality.deadline.ProfileSubject;
import io.kipimo.core.quality.deadline.Profiling;
import io.kipimo.core.quality.deadline.QueryProfile;
import io.kipimo.core.quality.join.ContributionBounds;
import io.kipimo.core.quality.join.JoinEngine;
import io.kipimo.core.quality.join.JoinOutput;
import io.kipimo.core.quality.join.JoinResult;
import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.join.QueryStore;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.QueryKey;
import io.kipimo.schemas.quality.SampledEvent;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Drives a {@link JoinEngine} in virtual time. The watermark lags this time by a fixed delay. */
final class QualityJoiner implements JoinOutput {
    private final JoinEngine engine;
    private final VirtualClock clock;
    private final long outOfOrderMillis;
    private final Consumer<Measurement> measured;
    private final Optional<QualitySettings> profiling;
    private final Consumer<QueryProfile> profiled;
    private final ContributionBounds bounds = new ContributionBounds();
    private final Map<JoinResult, Long> fates = new EnumMap<>(JoinResult.class);

    /** Event time for which the next run of the engine is scheduled; the largest long: none. */
    private long wakeMillis = Long.MAX_VALUE;

    QualityJoiner(QualitySettings settings, VirtualClock clock, long outOfOrderMillis, Consumer<Measurement> measured) {
        this(settings, clock, outOfOrderMillis, measured, Optional.empty(), profile -> {});
    }

    /**
     * Creates a joiner that also profiles queries.
     *
     * @param profiling settings of the profiles; empty: nothing is profiled
     * @param profiled receives the profiles of queries whose results have all come
     */
    QualityJoiner(
            QualitySettings settings,
            VirtualClock clock,
            long outOfOrderMillis,
            Consumer<Measurement> measured,
            Optional<QualitySettings> profiling,
            Consumer<QueryProfile> profiled) {
        this.profiling = profiling;
        this.profiled = profiled;
        this.engine = new JoinEngine(new QueryStore(), service -> settings, profiling.isPresent(), this);
        this.clock = clock;
        this.outOfOrderMillis = outOfOrderMillis;
        this.measured = measured;
    }

    /** Number of events by the result of their join. */
    Map<JoinResult, Long> fates() {
        return fates;
    }

    void accept(QueryEvent event) {
        advance();
        engine.accept(event);
        wakeWhenDue();
    }

    /** Advances the watermark, which is behind the newest event. */
    private void advance() {
        engine.advance(clock.millis() - outOfOrderMillis - 1);
    }

    private void wakeWhenDue() {
        long dueMillis = engine.nextDueMillis();
        if (dueMillis < wakeMillis) {
            wakeMillis = dueMillis;
            clock.at(dueMillis + outOfOrderMillis + 1, n -> wake());
        }
    }

    private void wake() {
        wakeMillis = Long.MAX_VALUE;
        advance();
        wakeWhenDue();
    }

    @Override
    public void onFate(SampledEvent event, JoinResult fate) {
        fates.merge(fate, 1L, Long::sum);
    }

    @Override
    public void onResults(QueryKey key, OpenQuery query, Optional<Measurement> measurement) {
        profiling.ifPresent(settings -> ProfileSubject.of(key, query, measurement)
                .map(subject -> Profiling.profile(subject, settings))
                .ifPresent(profiled));
    }

    @Override
    public void onMeasurement(Measurement measurement, long measuredBeforeMillis) {
        measured.accept(bounds.complete(measurement, measuredBeforeMillis));
    }
}
