package io.kipimo.simulator.control;

import io.kipimo.core.quality.join.ContributionBounds;
import io.kipimo.core.quality.join.HeapQueryStore;
import io.kipimo.core.quality.join.JoinEngine;
import io.kipimo.core.quality.join.JoinOutput;
import io.kipimo.core.quality.join.JoinResult;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.SampledEvent;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/** Drives a {@link JoinEngine} in virtual time; the watermark follows it with a delay. */
final class QualityJoiner implements JoinOutput {
    private final JoinEngine engine;
    private final VirtualClock clock;
    private final long outOfOrderMillis;
    private final Consumer<Measurement> measured;
    private final ContributionBounds bounds = new ContributionBounds();
    private final Map<JoinResult, Long> fates = new EnumMap<>(JoinResult.class);

    /** Latest event time at which the engine must run. */
    private long wakeMillis = Long.MAX_VALUE;

    QualityJoiner(
            QualitySettings settings,
            VirtualClock clock,
            long outOfOrderMillis,
            Consumer<Measurement> measured) {
        this.engine = new JoinEngine(new HeapQueryStore(), service -> settings, false, this);
        this.clock = clock;
        this.outOfOrderMillis = outOfOrderMillis;
        this.measured = measured;
    }

    /** Events by join result. */
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
    public void onMeasurement(Measurement measurement, long measuredBeforeMillis) {
        measured.accept(bounds.complete(measurement, measuredBeforeMillis));
    }
}
