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
 * What the functions of all levels agree on.
 *
 * @param tumblingMillis see {@link TailSpans}, as for the next two
 * @param objectivesMicros latency bounds to tell the share at or under them, ascending
 */
public record TailsSettings(
        long tumblingMillis, long stepMillis, long slidingMillis, List<Long> objectivesMicros)
        implements Serializable {
    private static final long serialVersionUID = 1L;

    /**
     * @throws IllegalArgumentException if windows do not fit each other
     */
    public TailsSettings {
        objectivesMicros = objectivesMicros.stream().distinct().sorted().toList();
        var unused = new TailSpans(tumblingMillis, stepMillis, slidingMillis);
    }

    TailSpans spans() {
        return new TailSpans(tumblingMillis, stepMillis, slidingMillis);
    }

    TailWindow window(
            TailScope scope, TailWindowKind kind, long startMillis, long endMillis, TailSums sums) {
        return TailStatistics.window(scope, kind, startMillis, endMillis, sums, objectivesMicros);
    }
}
