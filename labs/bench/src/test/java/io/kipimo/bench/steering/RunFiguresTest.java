package io.kipimo.bench.steering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.bench.steering.RunFigures.Received;
import io.kipimo.examples.search.load.Arrival;
import io.kipimo.examples.search.load.ArrivalTrace;
import io.kipimo.examples.search.load.QueryClass;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunFiguresTest {
    private static final SteeringSettings SETTINGS = SteeringSettings.read();
    private static final Map<String, long[]> FULL = Map.of("many", new long[] {1, 2, 3, 4}, "none", new long[0]);

    private static Arrival arrival(double second, QueryClass queryClass, String query) {
        return new Arrival((long) (second * 1e6), queryClass, query);
    }

    private static Received answer(Arrival arrival, long millis, int coverage, String ids) {
        return new Received(
                arrival,
                1_000 * millis,
                Buffer.buffer("{\"components\":4,\"coverage\":" + coverage + ",\"items\":[" + ids + "]}"));
    }

    @Test
    void everyFigureIsThatOfTheCountedTimeAndOfAnswersInTime() {
        Arrival lead = arrival(0.5, QueryClass.LOW, "many");
        Arrival whole = arrival(1.5, QueryClass.HIGH, "many");
        Arrival half = arrival(2.5, QueryClass.HIGH, "many");
        Arrival refused = arrival(2.6, QueryClass.LOW, "many");
        Arrival good = arrival(2.7, QueryClass.LOW, "none");
        Arrival poor = arrival(3.0, QueryClass.LOW, "many");
        Arrival late = arrival(3.1, QueryClass.HIGH, "many");
        Arrival unanswered = arrival(3.2, QueryClass.HIGH, "many");
        ArrivalTrace trace = new ArrivalTrace(
                Duration.ofSeconds(5), List.of(lead, whole, half, refused, good, poor, late, unanswered));

        RunFigures figures = RunFigures.of(
                SETTINGS,
                FULL::get,
                trace,
                Duration.ofSeconds(1),
                List.of(
                        answer(lead, 10, 4, ""),
                        answer(whole, 10, 4, "{\"id\":4},{\"id\":3},{\"id\":2},{\"id\":1}"),
                        answer(half, 31, 2, "{\"id\":4},{\"id\":1},{\"id\":9}"),
                        answer(good, 5, 4, ""),
                        answer(poor, 30, 1, "{\"id\":4}"),
                        answer(late, 61, 4, "{\"id\":1}")),
                0);

        assertThat(figures.highQuality()).isCloseTo(1.5 / 4, within(1e-12));
        assertThat(figures.offObjective()).isCloseTo(0.95 - 1.5 / 4, within(1e-12));
        assertThat(figures.highIncomplete()).isEqualTo(0.5);
        assertThat(figures.goodPerSecond()).isEqualTo(0.25);
        assertThat(figures.lowQuality()).isEqualTo(1.25 / 2);
        assertThat(figures.lowAnswered()).isCloseTo(2.0 / 3, within(1e-12));
    }
}
