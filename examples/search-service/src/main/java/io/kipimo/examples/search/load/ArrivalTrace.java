package io.kipimo.examples.search.load;

import io.kipimo.examples.search.workload.QueryWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.random.RandomGenerator;

/**
 * All queries of a run with their times. A trace is generated once, and replayed against each control policy. Both
 * classes are Poisson processes; the rate of the low class is {@code peak * sin²(pi t / duration)} (Ubora, sec. 8:
 * diurnal arrivals).
 *
 * @param arrivals in the order of their offsets
 */
public record ArrivalTrace(Duration duration, List<Arrival> arrivals) {

    /** Generates a trace. Equal seeds and vocabularies give equal traces. */
    public static ArrivalTrace of(TraceSettings settings, QueryWriter writer) {
        // Each class has its own random generator, so one class does not change the other.
        RandomGenerator high = new SplittableRandom(settings.seed());
        RandomGenerator low = new SplittableRandom(~settings.seed());
        List<Arrival> arrivals = new ArrayList<>();
        add(arrivals, QueryClass.HIGH, settings, settings.highPerSecond(), t -> 1, writer, high);
        add(
                arrivals,
                QueryClass.LOW,
                settings,
                settings.lowPeakPerSecond(),
                t -> Math.pow(Math.sin(Math.PI * t), 2),
                writer,
                low);
        arrivals.sort(Comparator.comparingLong(Arrival::offsetMicros));
        return new ArrivalTrace(settings.duration(), List.copyOf(arrivals));
    }

    /**
     * Adds arrivals by thinning (Lewis and Shedler, 1979): arrivals come at the peak rate, and each is kept with a
     * probability, which is {@code curve} of its progress 0..1.
     */
    private static void add(
            List<Arrival> arrivals,
            QueryClass queryClass,
            TraceSettings settings,
            double peakPerSecond,
            DoubleUnaryOperator curve,
            QueryWriter writer,
            RandomGenerator random) {
        double lengthMicros = settings.duration().toNanos() / 1e3;
        double meanGapMicros = 1e6 / peakPerSecond;
        for (double at = random.nextExponential() * meanGapMicros;
                at < lengthMicros;
                at += random.nextExponential() * meanGapMicros) {
            double progress = at / lengthMicros;
            if (random.nextDouble() < curve.applyAsDouble(progress)) {
                String query = writer.write(settings.mix().at(progress), random);
                arrivals.add(new Arrival((long) at, queryClass, query));
            }
        }
    }
}
