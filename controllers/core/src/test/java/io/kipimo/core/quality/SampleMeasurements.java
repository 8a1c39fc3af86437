package io.kipimo.core.quality;

import io.kipimo.core.quality.window.ClassPane;
import io.kipimo.core.quality.window.PaneSums;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.Outcome;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Short constructors of measurements and counts of service "shop", class "high". */
public final class SampleMeasurements {
    public static final String METRIC = "tpr@4";

    private SampleMeasurements() {}

    public static Measurement clean(long atMillis) {
        return measurement(atMillis, Completeness.COMPLETE, false, 1, 1, List.of());
    }

    /** The late components' losses sum to 1 - quality. */
    public static Measurement degraded(long atMillis, ComponentShare... late) {
        double lost =
                Arrays.stream(late).mapToDouble(ComponentShare::lostQuality).sum();
        return measurement(atMillis, Completeness.COMPLETE, true, 1 - lost, 1 - lost, List.of(late));
    }

    public static Measurement expired(long atMillis, double low, double high, ComponentShare... shares) {
        return measurement(atMillis, Completeness.EXPIRED, true, low, high, List.of(shares));
    }

    /** A query with a timed-out component, which therefore seems degraded, too. */
    public static Measurement unmeasurable(long atMillis, Unmeasurable reason) {
        return Measurement.builder()
                .service("shop")
                .queryId("u" + atMillis)
                .queryClass("high")
                .startedAtMillis(atMillis)
                .measuredAtMillis(atMillis)
                .completeness(Completeness.NOT_MEASURABLE)
                .degraded(true)
                .topK(4)
                .components(List.of(missing("a")))
                .unmeasurable(Optional.of(reason))
                .build();
    }

    /** As above, with another metric. */
    public static Measurement by(String metric, Measurement measurement) {
        Score score = measurement.scores().get(0);
        return measurement.withScores(List.of(new Score(metric, score.low(), score.high())));
    }

    public static ComponentShare late(String component, double lost) {
        return new ComponentShare(component, Outcome.TIMED_OUT, 50_000, false, lost, 0.2);
    }

    public static ComponentShare missing(String component) {
        return new ComponentShare(component, Outcome.TIMED_OUT, 30_000, true, 0, 0);
    }

    private static Measurement measurement(
            long atMillis,
            Completeness completeness,
            boolean degraded,
            double low,
            double high,
            List<ComponentShare> shares) {
        return Measurement.builder()
                .service("shop")
                .queryId("q" + atMillis)
                .queryClass("high")
                .startedAtMillis(atMillis)
                .measuredAtMillis(atMillis)
                .completeness(completeness)
                .degraded(degraded)
                .topK(4)
                .scores(List.of(new Score(METRIC, low, high)))
                .components(shares)
                .build();
    }

    /** Sums of one measurement, in the form that operators keyed by class receive. */
    public static ClassPane sums(Measurement measurement) {
        PaneSums sums = new PaneSums();
        sums.add(measurement);
        List<ClassPane> panes = new ArrayList<>();
        sums.drain(panes::add);
        return panes.get(0);
    }

    public static Observation second(long atMillis, long answered, long timedOut) {
        return second(atMillis, answered, timedOut, Map.of());
    }

    public static Observation second(
            long atMillis, long answered, long timedOut, Map<Unmeasurable, Long> unmeasurable) {
        return ObservationBuilder.builder()
                .service("shop")
                .tier("front")
                .server("front-0")
                .queryClass("high")
                .secondMillis(atMillis)
                .offered(answered)
                .answered(answered)
                .timedOut(timedOut)
                .bill(MeasurementBill.NOTHING)
                .admittedFraction(1)
                .unmeasurable(unmeasurable)
                .build();
    }
}
