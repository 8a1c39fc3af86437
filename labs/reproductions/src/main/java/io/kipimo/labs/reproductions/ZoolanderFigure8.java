package io.kipimo.labs.reproductions;

import io.kipimo.core.replication.duplicates.ServiceTimes;
import io.kipimo.simulator.report.LinePlot;
import io.kipimo.simulator.workload.Arrivals;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * The model's service level against a simulated one: over duplicates and over the latency bound
 * without waiting, as in the paper's figure 8; and, beyond the paper, with increasing waiting.
 */
final class ZoolanderFigure8 implements PaperExperiment {
    private static final int[] DUPLICATES = {1, 2, 3, 4, 6, 8, 12, 16};
    private static final double[] UTILISATIONS = {0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
    private static final int[] UNDER_LOAD = {1, 2, 4, 8, 16};
    private static final double TAU_MILLIS = 5;
    private static final int ACCESSES = 400_000;
    private static final int ACCESSES_UNDER_LOAD = 150_000;
    private static final double TOLERANCE = 0.002;

    /** An interval longer than any access, so accesses never overlap. */
    private static final Arrivals ONE_AT_A_TIME = new Arrivals.Regular(0.8);

    private record Point(double predicted, double simulated) {
        double error() {
            return Math.abs(predicted - simulated);
        }
    }

    @Override
    public String id() {
        return "zoolander-figure-8";
    }

    @Override
    public String title() {
        return "Service level of duplicates, model against simulator (Zoolander, figure 8)";
    }

    @Override
    public Reproduction run() {
        double[] writes = DuplicateRun.writes();
        ServiceTimes times = DuplicateRun.times(writes);
        List<Finding> findings = new ArrayList<>();
        List<Point> alone =
                IntStream.of(DUPLICATES).parallel().mapToObj(n -> alone(writes, n)).toList();
        for (int i = 0; i < DUPLICATES.length; i++) {
            findings.add(
                    compared(
                            DUPLICATES[i] + " duplicates, one access at a time, 5 ms (8a)",
                            "error < 0.002" + (DUPLICATES[i] == 8 ? "; level 0.999" : ""),
                            alone.get(i),
                            TOLERANCE));
        }
        double[] eight = DuplicateRun.simulated(writes, 8, ONE_AT_A_TIME, ACCESSES / 8.0 / 0.8, 82);
        for (double percentile : new double[] {0.75, 0.9, 0.96, 0.99, 0.995}) {
            double tau = writes[(int) (percentile * writes.length)];
            findings.add(
                    compared(
                            String.format(
                                    Locale.ROOT,
                                    "8 duplicates, bound at the %.1fth percentile (8b)",
                                    100 * percentile),
                            "error < 0.001",
                            new Point(
                                    DuplicateRun.predicted(times, tau, 8, 0),
                                    DuplicateRun.level(eight, tau)),
                            0.001));
        }
        List<List<Point>> loaded =
                IntStream.of(UNDER_LOAD).mapToObj(n -> underLoad(writes, times, n)).toList();
        for (int u = 0; u < UTILISATIONS.length; u++) {
            StringBuilder ours = new StringBuilder();
            double worst = 0;
            for (int n = 0; n < UNDER_LOAD.length; n++) {
                Point point = loaded.get(n).get(u);
                worst = Math.max(worst, point.error());
                ours.append(
                        String.format(
                                Locale.ROOT,
                                "%s%.4f/%.4f",
                                n == 0 ? "" : "; ",
                                point.predicted(),
                                point.simulated()));
            }
            findings.add(
                    Finding.alone(
                            String.format(
                                    Locale.ROOT,
                                    "utilisation %.0f %%: model/simulated for 1; 2; 4; 8; 16",
                                    100 * UTILISATIONS[u]),
                            ours.toString(),
                            worst <= TOLERANCE
                                    ? "within 0.002"
                                    : String.format(
                                            Locale.ROOT,
                                            "off by up to %.3f: the model uses the mean wait for "
                                                    + "all accesses",
                                            worst)));
        }
        return new Reproduction(
                id(),
                title(),
                String.format(
                        Locale.ROOT,
                        "Service times after section 4.2: mean %.2f ms, coefficient of variation %.2f;"
                                + " 5 ms is the 90th percentile. Duplicates execute everything in"
                                + " order of arrival.",
                        times.meanMillis(),
                        times.coefficientOfVariation()),
                findings,
                List.of(),
                List.of(errors(loaded), levels(loaded)));
    }

    private static Point alone(double[] writes, int duplicates) {
        double seconds = Math.max(60_000, (double) ACCESSES / duplicates) / 0.8;
        double[] latencies =
                DuplicateRun.simulated(writes, duplicates, ONE_AT_A_TIME, seconds, 80 + duplicates);
        return new Point(
                DuplicateRun.predicted(DuplicateRun.times(writes), TAU_MILLIS, duplicates, 0),
                DuplicateRun.level(latencies, TAU_MILLIS));
    }

    private static List<Point> underLoad(double[] writes, ServiceTimes times, int duplicates) {
        return IntStream.range(0, UTILISATIONS.length)
                .parallel()
                .mapToObj(
                        u -> {
                            double rate = UTILISATIONS[u] / times.meanMillis() * 1e3;
                            double accesses =
                                    Math.max(40_000, (double) ACCESSES_UNDER_LOAD / duplicates);
                            double[] latencies =
                                    DuplicateRun.simulated(
                                            writes,
                                            duplicates,
                                            DuplicateRun.poisson(rate),
                                            accesses / rate,
                                            800L + u);
                            return new Point(
                                    DuplicateRun.predicted(times, TAU_MILLIS, duplicates, rate),
                                    DuplicateRun.level(latencies, TAU_MILLIS));
                        })
                .toList();
    }

    private static Finding compared(String what, String paper, Point point, double tolerance) {
        return Finding.compared(
                what,
                paper,
                String.format(
                        Locale.ROOT,
                        "model %.5f, simulated %.5f: error %.5f",
                        point.predicted(),
                        point.simulated(),
                        point.error()),
                point.error() < tolerance,
                "the simulated share has too few accesses");
    }

    private static LinePlot errors(List<List<Point>> loaded) {
        LinePlot plot = new LinePlot("Model's absolute error", "utilisation").threshold(TOLERANCE);
        for (int n = 0; n < UNDER_LOAD.length; n++) {
            plot.line(
                    UNDER_LOAD[n] + " duplicates",
                    UTILISATIONS,
                    loaded.get(n).stream().mapToDouble(Point::error).toArray());
        }
        return plot;
    }

    private static LinePlot levels(List<List<Point>> loaded) {
        LinePlot plot = new LinePlot("Service level at 5 ms", "utilisation");
        for (int n : new int[] {0, 2, 4}) {
            plot.line(
                    UNDER_LOAD[n] + ", model",
                    UTILISATIONS,
                    loaded.get(n).stream().mapToDouble(Point::predicted).toArray());
            plot.line(
                    UNDER_LOAD[n] + ", simulated",
                    UTILISATIONS,
                    loaded.get(n).stream().mapToDouble(Point::simulated).toArray());
        }
        return plot;
    }
}
