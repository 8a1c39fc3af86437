package io.kipimo.simulator.control;

import io.kipimo.core.quality.join.ContributionBounds;
import io.kipimo.core.quality.join.EventFate;
import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.join.QueryJoin;
import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.SampledEvent;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.QueryKey;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Does what the quality job does around {@link QueryJoin}: state, watermark and timers. */
final class QualityJoiner {
    private static final long TIMER_GRAIN_MILLIS = 1000;

    private final QualitySettings settings;
    private final VirtualClock clock;
    private final long outOfOrderMillis;
    private final Consumer<Measurement> measured;
    private final Map<QueryKey, OpenQuery> open = new HashMap<>();
    private final EventScanner scanner = new EventScanner();
    private final ContributionBounds bounds = new ContributionBounds();
    private final Map<EventFate, Long> fates = new EnumMap<>(EventFate.class);

    QualityJoiner(
            QualitySettings settings,
            VirtualClock clock,
            long outOfOrderMillis,
            Consumer<Measurement> measured) {
        this.settings = settings;
        this.clock = clock;
        this.outOfOrderMillis = outOfOrderMillis;
        this.measured = measured;
    }

    /** How many events had which fate. */
    Map<EventFate, Long> fates() {
        return fates;
    }

    void accept(QueryEvent sent) {
        SampledEvent event = scanner.of(sent);
        if (QueryJoin.isLateByItself(event, settings, watermarkMillis())) {
            count(event, EventFate.LATE);
            return;
        }
        QueryKey key = event.key();
        OpenQuery query = open.get(key);
        boolean isNew = query == null;
        if (isNew) {
            query = new OpenQuery();
        }
        QueryJoin.accept(query, event, settings, watermarkMillis(), this::count);
        if (isNew) {
            open.put(key, query);
            onEventTime(QueryJoin.settledMillis(query, settings), key);
        }
        QueryJoin.measureIfComplete(key, query, settings).ifPresent(this::emit);
    }

    private void count(SampledEvent event, EventFate fate) {
        fates.merge(fate, 1L, Long::sum);
    }

    private long watermarkMillis() {
        return clock.millis() - outOfOrderMillis - 1;
    }

    private void onEventTime(long millis, QueryKey key) {
        long onGrid = (millis + TIMER_GRAIN_MILLIS - 1) / TIMER_GRAIN_MILLIS * TIMER_GRAIN_MILLIS;
        clock.at(onGrid + outOfOrderMillis + 1, n -> fire(onGrid, key));
    }

    private void fire(long timestamp, QueryKey key) {
        OpenQuery query = open.get(key);
        long settled = QueryJoin.settledMillis(query, settings);
        if (settled > timestamp) {
            onEventTime(settled, key);
        } else if (timestamp < settled + QueryJoin.TOMBSTONE_SLACK_MILLIS) {
            QueryJoin.measureExpired(key, query, settings, this::count).ifPresent(this::emit);
            onEventTime(settled + QueryJoin.TOMBSTONE_SLACK_MILLIS, key);
        } else {
            open.remove(key);
        }
    }

    private void emit(Measurement measurement) {
        measured.accept(
                bounds.complete(
                        measurement, QueryJoin.measuredBeforeMillis(measurement, settings)));
    }
}
