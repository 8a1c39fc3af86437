package io.kipimo.core.whatif;

import io.kipimo.core.quality.join.JoinEngine;
import io.kipimo.core.quality.join.PartitionBounds;
import io.kipimo.core.quality.join.QualitySettings;
import io.kipimo.core.quality.join.QueryStore;
import io.kipimo.core.quality.window.ClassNames;
import io.kipimo.core.quality.window.ClassWindows;
import io.kipimo.core.quality.window.PaneSums;
import io.kipimo.core.quality.window.QualityWindows;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.PartialResult;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.QueryEvent;
import io.kipimo.schemas.quality.QueryKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/**
 * Measures recorded queries of one service again, with the join and the windows of the quality job. It processes events
 * in the order of event time, with the watermark right behind each event. In the job, one stream may run ahead of
 * another, so there a measurement at the edge of a control batch may count in the next batch. Measurements and sliding
 * windows are as in the job. Mutable, for one use.
 */
public final class MeasurementReplay {
    /** Measurements and windows of a recording. */
    public record ReplayedMeasurements(List<Measurement> measurements, List<QualityWindow> windows) {}

    private final Policy policy;
    private final ClassNames names;
    private final PartitionBounds bounds;
    private final JoinEngine engine;
    private final Map<String, ClassWindows> classes = new TreeMap<>();
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<QualityWindow> windows = new ArrayList<>();

    private MeasurementReplay(Policy policy, ToIntFunction<QueryKey> partitionOf) {
        this.policy = policy;
        this.bounds = new PartitionBounds(partitionOf);
        this.names = ClassNames.of(policy);
        QualitySettings settings = QualitySettings.of(policy);
        this.engine = new JoinEngine(new QueryStore(), service -> settings, false, this::measured);
    }

    /**
     * All measurements, and all windows that end before the recording does or with its last slide.
     *
     * @param partitionOf partition of a query's events in the recorded log
     * @throws IllegalArgumentException if a metric of the policy is unknown
     */
    public static ReplayedMeasurements replay(
            Policy policy, RecordedEvents events, ToIntFunction<QueryKey> partitionOf) {
        return new MeasurementReplay(policy, partitionOf).run(events);
    }

    private ReplayedMeasurements run(RecordedEvents events) {
        // The counts of a second come after its events.
        List<QueryEvent> queryEvents = new ArrayList<>();
        for (Answer answer : events.answers()) {
            queryEvents.add(QueryEvent.of(answer));
        }
        for (PartialResult partial : events.partials()) {
            queryEvents.add(QueryEvent.of(partial));
        }
        queryEvents.sort(Comparator.comparingLong(QueryEvent::eventTimeMillis));
        List<Observation> observations = events.observations().stream()
                .sorted(Comparator.comparingLong(Observation::endMillis))
                .toList();
        int counted = 0;
        for (QueryEvent event : queryEvents) {
            while (counted < observations.size() && observations.get(counted).endMillis() < event.eventTimeMillis()) {
                count(observations.get(counted++));
            }
            follow(event.eventTimeMillis());
            engine.accept(event);
        }
        while (counted < observations.size()) {
            count(observations.get(counted++));
        }
        long settledMillis = engine.lastSettledMillis();
        while (engine.nextDueMillis() <= settledMillis) {
            advance(engine.nextDueMillis());
        }
        closeSlides(Math.max(settledMillis, lastMillis() + policy.slideMillis()));
        windows.sort(Comparator.comparingLong(QualityWindow::endMillis));
        return new ReplayedMeasurements(List.copyOf(measurements), List.copyOf(windows));
    }

    private long lastMillis() {
        return classes.values().stream()
                .flatMap(c -> c.panes.stream())
                .mapToLong(p -> p.startMillis)
                .max()
                .orElse(0);
    }

    /** Advances event time to just before an event. */
    private void follow(long happenedMillis) {
        advance(happenedMillis - 1);
    }

    /** Advances event time. */
    private void advance(long nowMillis) {
        engine.advance(nowMillis);
        closeSlides(nowMillis);
    }

    private void measured(Measurement raw, long measuredBeforeMillis) {
        Measurement measurement = bounds.complete(raw.ofClass(names.fold(raw.queryClass())), measuredBeforeMillis);
        measurements.add(measurement);
        String queryClass = measurement.queryClass().isEmpty() ? PaneSums.UNKNOWN_CLASS : measurement.queryClass();
        QualityWindows.add(windowsOf(queryClass), policy, measurement);
    }

    private void count(Observation observation) {
        follow(observation.endMillis());
        String queryClass = names.fold(observation.queryClass());
        windows.addAll(QualityWindows.add(windowsOf(queryClass), policy, observation.ofClass(queryClass)));
    }

    private ClassWindows windowsOf(String queryClass) {
        return classes.computeIfAbsent(queryClass, c -> new ClassWindows());
    }

    private void closeSlides(long untilMillis) {
        classes.forEach((queryClass, state) -> {
            Optional<Long> end = QualityWindows.nextSlideEndMillis(state, policy);
            while (end.isPresent() && end.get() <= untilMillis) {
                windows.addAll(QualityWindows.closeSlide(state, policy, policy.service(), queryClass, end.get()));
                end = QualityWindows.nextSlideEndMillis(state, policy);
            }
        });
    }
}
