package io.kipimo.operators.tails;

import io.kipimo.core.tails.TailScope;
import io.kipimo.core.tails.TailSpans;
import io.kipimo.core.tails.TailStatistics;
import io.kipimo.core.tails.TailSums;
import io.kipimo.schemas.tails.TailWindow;
import io.kipimo.schemas.tails.TailWindowKind;
import java.io.Serializable;
import java.util.List;

/**
 * Settings shared by the functions of all levels.
 *
 * @param tumblingMillis see {@link TailSpans}
 * @param stepMillis see {@link TailSpans}
 * @param slidingMillis see {@link TailSpans}
 * @param objectivesMicros latency bounds in microseconds, ascending; a window has the share of latencies at or below
 *     each
 */
public record TailsSettings(long tumblingMillis, long stepMillis, long slidingMillis, List<Long> objectivesMicros)
        implements Serializable {
    /** @throws IllegalArgumentException if the lengths of windows do not fit each other, see {@link TailSpans} */
    public TailsSettings {
        objectivesMicros = objectivesMicros.stream().distinct().sorted().toList();
        var unused = new TailSpans(tumblingMillis, stepMillis, slidingMillis);
    }

    TailSpans spans() {
        return new TailSpans(tumblingMillis, stepMillis, slidingMillis);
    }

    TailWindow window(TailScope scope, TailWindowKind kind, long startMillis, long endMillis, TailSums sums) {
        return TailStatistics.window(scope, kind, startMillis, endMillis, sums, objectivesMicros);
    }
}
