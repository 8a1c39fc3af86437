package io.kipimo.bench.steering;

import io.kipimo.examples.search.load.Arrival;
import io.kipimo.examples.search.load.ArrivalTrace;
import io.kipimo.examples.search.load.QueryClass;
import io.kipimo.schemas.field.WithBuilder;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Figures of one run without its lead. Every answer's content is compared with the full answer of its query.
 *
 * @param goodPerSecond good answers of the low class
 * @param highQuality mean over the offered queries of the high class; a query without an answer in time has 0
 * @param offObjective mean over slices of the distance of {@code highQuality} from the objective
 * @param lowQuality mean over the answers of the low class; NaN without any
 * @param lowBelowHalf share of the answers of the low class with a quality below 0.5; NaN without any
 * @param lowAnswered share of the low class's queries with an answer in time; NaN without any
 * @param highIncomplete share of the high class's answers that lack a component
 * @param lagMillis delay of the load generator, p99
 * @param highBySlice {@code highQuality} of each slice
 * @param goodBySlice {@code goodPerSecond} of each slice
 */
@WithBuilder
record RunFigures(
        double goodPerSecond,
        double highQuality,
        double offObjective,
        double lowQuality,
        double lowBelowHalf,
        double lowAnswered,
        double highIncomplete,
        double lagMillis,
        double[] highBySlice,
        double[] goodBySlice) {

    /** An answer as the caller got it. */
    record Received(Arrival arrival, long latencyMicros, Buffer body) {}

    /** Sums over one slice. */
    private static final class Slice {
        long highOffered;
        long highAnswered;
        long highIncomplete;
        double highQuality;
        long lowOffered;
        long lowAnswered;
        long lowGood;
        long lowBelowHalf;
        double lowQuality;

        double high() {
            return highOffered == 0 ? Double.NaN : highQuality / highOffered;
        }
    }

    /**
     * The figures of a run.
     *
     * @param fullAnswers ids of a query's full answer
     * @param lead time at the start that does not count
     */
    static RunFigures of(
            SteeringSettings settings,
            Function<String, long[]> fullAnswers,
            ArrivalTrace trace,
            Duration lead,
            Collection<Received> answers,
            double lagMillis) {
        long leadMicros = lead.toNanos() / 1_000;
        double seconds = trace.duration().minus(lead).toMillis() / 1e3;
        int count = Math.max(1, (int) Math.round(seconds / settings.sliceSeconds()));
        Slice[] slices = IntStream.range(0, count).mapToObj(i -> new Slice()).toArray(Slice[]::new);
        for (Arrival arrival : trace.arrivals()) {
            if (arrival.offsetMicros() >= leadMicros) {
                Slice slice = slices[index(arrival, leadMicros, seconds, count)];
                if (arrival.queryClass() == QueryClass.HIGH) {
                    slice.highOffered++;
                } else {
                    slice.lowOffered++;
                }
            }
        }
        for (Received answer : answers) {
            Arrival arrival = answer.arrival();
            if (arrival.offsetMicros() >= leadMicros && answer.latencyMicros() <= 1_000L * settings.latestMillis()) {
                add(
                        slices[index(arrival, leadMicros, seconds, count)],
                        arrival.queryClass(),
                        new JsonObject(answer.body()),
                        fullAnswers.apply(arrival.query()),
                        settings.good());
            }
        }
        return figures(settings, slices, seconds, lagMillis);
    }

    private static int index(Arrival arrival, long leadMicros, double seconds, int count) {
        double progress = (arrival.offsetMicros() - leadMicros) / (seconds * 1e6);
        return Math.min(count - 1, (int) (progress * count));
    }

    private static void add(Slice slice, QueryClass queryClass, JsonObject answer, long[] full, double good) {
        double quality = quality(answer, full);
        if (queryClass == QueryClass.HIGH) {
            slice.highAnswered++;
            slice.highQuality += quality;
            if (answer.getInteger("coverage") < answer.getInteger("components")) {
                slice.highIncomplete++;
            }
        } else {
            slice.lowAnswered++;
            slice.lowQuality += quality;
            slice.lowGood += quality >= good ? 1 : 0;
            slice.lowBelowHalf += quality < 0.5 ? 1 : 0;
        }
    }

    /** Share of the full answer's items that the answer has; 1 if the full answer has no items. */
    static double quality(JsonObject answer, long[] full) {
        if (full.length == 0) {
            return 1;
        }
        Set<Long> ids = new HashSet<>();
        answer.getJsonArray("items").forEach(item -> ids.add(((JsonObject) item).getLong("id")));
        return (double) Arrays.stream(full).filter(ids::contains).count() / full.length;
    }

    private static RunFigures figures(SteeringSettings settings, Slice[] slices, double seconds, double lagMillis) {
        Slice all = new Slice();
        for (Slice slice : slices) {
            all.highOffered += slice.highOffered;
            all.highAnswered += slice.highAnswered;
            all.highIncomplete += slice.highIncomplete;
            all.highQuality += slice.highQuality;
            all.lowOffered += slice.lowOffered;
            all.lowAnswered += slice.lowAnswered;
            all.lowGood += slice.lowGood;
            all.lowBelowHalf += slice.lowBelowHalf;
            all.lowQuality += slice.lowQuality;
        }
        double sliceSeconds = seconds / slices.length;
        double[] high = Arrays.stream(slices).mapToDouble(Slice::high).toArray();
        return RunFiguresBuilder.builder()
                .goodPerSecond(all.lowGood / seconds)
                .highQuality(all.high())
                .offObjective(Arrays.stream(high)
                        .filter(quality -> !Double.isNaN(quality))
                        .map(quality -> Math.abs(quality - settings.objective()))
                        .average()
                        .orElse(Double.NaN))
                .lowQuality(all.lowQuality / all.lowAnswered)
                .lowBelowHalf((double) all.lowBelowHalf / all.lowAnswered)
                .lowAnswered((double) all.lowAnswered / all.lowOffered)
                .highIncomplete(all.highAnswered == 0 ? 1 : (double) all.highIncomplete / all.highAnswered)
                .lagMillis(lagMillis)
                .highBySlice(high)
                .goodBySlice(Arrays.stream(slices)
                        .mapToDouble(s -> s.lowGood / sliceSeconds)
                        .toArray())
                .build();
    }
}
