package io.kipimo.bench.quality;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.side.SubjectRun;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkShapeTest {
    private static final Map<String, Double> SHAPE = Map.of("components", 40.0, "items", 20.0);

    @Test
    void sidesOfTheSameWorkAreCompared() {
        assertThatCode(() -> compare(run(100, SHAPE), run(100, SHAPE))).doesNotThrowAnyException();
    }

    @Test
    void aSideThatRanOtherComponentsIsRefused() {
        assertThatThrownBy(() -> compare(run(100, SHAPE), run(100, Map.of("components", 4.0, "items", 20.0))))
                .hasMessage("side 'other' ran 4 components and 20 items; allowed: 40 components and 20 items");
    }

    @Test
    void aSideThatDoesNotSayWhatItRanIsRefused() {
        assertThatThrownBy(() -> compare(run(100, SHAPE), run(100, Map.of())))
                .hasMessageStartingWith("side 'other' ran an unknown number of components and items");
    }

    @Test
    void sidesOfDifferentlyManyEventsAreRefused() {
        assertThatThrownBy(() -> compare(run(100, SHAPE), run(99, SHAPE))).hasMessageContaining("equally many");
    }

    private static void compare(SubjectRun mine, SubjectRun other) {
        WorkShape.requireSame(40, 20, Map.of("this", repeated(mine), "other", repeated(other)));
    }

    private static Repetitions<SubjectRun> repeated(SubjectRun run) {
        Repetitions<SubjectRun> runs = new Repetitions<>();
        runs.add(run);
        return runs;
    }

    private static SubjectRun run(long events, Map<String, Double> details) {
        return new SubjectRun(events, 1, 1, details);
    }
}
