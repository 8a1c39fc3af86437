package io.kipimo.labs.reproductions;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With a method of the product broken on purpose, the figures that rest on it no longer match. */
class ReproductionsCanFailTest {
    private static final String PRODUCT = "io.kipimo.core.";

    /**
     * A method of the product that gives a fixed value.
     *
     * @param size argument of the experiment's constructor, smaller than by default; 0: none
     * @param product class below {@value #PRODUCT}, which may be visible in its package alone
     * @param proves beginning of the figures that match, and then differ
     */
    private record Broken(
            Class<? extends Experiment> experiment,
            long size,
            String product,
            String method,
            Object value,
            String... proves) {
        String what() {
            return product.replaceAll(".*\\.", "") + "." + method;
        }

        @Override
        public String toString() {
            return experiment.getSimpleName() + " " + what() + " = " + value;
        }
    }

    private static final List<Broken> QUICK = List.of(
            new Broken(
                    UboraFigure6.class,
                    0,
                    "quality.merge.RankedMerge",
                    "isBetter",
                    false,
                    "skew 100 %, both components kept"),
            new Broken(
                    RatingTable3.class,
                    0,
                    "rating.Search",
                    "peaksBelow",
                    true,
                    "golden, all ratings and climbs: error"));

    private static final List<Broken> SLOW = List.of(
            new Broken(QuaestorFigure10.class, 20_000, "stale.FlatFilter", "mightContain", false, "of "),
            new Broken(
                    UboraFigure11.class, 2, "admission.HashAdmission", "admits", true, "by quality, share of windows"),
            new Broken(UboraMixes.class, 1, "admission.HashAdmission", "admits", true, "mixes that are kept alone"),
            new Broken(UboraTable2.class, 1, "admission.HashAdmission", "admits", true, "sampled 10 %"),
            new Broken(Shedding.class, 2, "admission.CostOrder", "isKnown", false, "first mix: good answers"),
            new Broken(
                    AskingFewer.class,
                    2,
                    "quality.fanout.model.Calibration",
                    "holds",
                    false,
                    "first mix: good answers"),
            new Broken(
                    SpareFigure6.class,
                    300,
                    "replication.FeasibleSet",
                    "extraLoad",
                    2.0,
                    "pattern 3, 20 pages/s, mean",
                    "pattern 3, 5 pages/s, mean"),
            new Broken(
                    SpareFigure8.class,
                    300,
                    "replication.FeasibleSet",
                    "extraLoad",
                    2.0,
                    "pattern 2, 40 pages/s, page p99"),
            new Broken(
                    SpareEstimator.class,
                    3_000,
                    "tails.BaselineEstimator",
                    "coresOfARequest",
                    1.0,
                    "exponential, 1 cores",
                    "exponential, 8 cores"),
            new Broken(
                    ZoolanderFigure5.class,
                    0,
                    "replication.Duplicate",
                    "queueingMillis",
                    0.0,
                    "moderate load (30 %), 8 duplicates"),
            new Broken(
                    ZoolanderFigure8.class,
                    100_000,
                    "replication.Duplicate",
                    "shareInTime",
                    0.95,
                    "2 duplicates, 5 ms",
                    "reads, 2 duplicates"),
            new Broken(ZoolanderFigure8.class, 100_000, "replication.SimulatedQueues", "exponential", 1e9, "60 % busy"),
            new Broken(
                    ZoolanderFigure9.class,
                    50_000,
                    "replication.SimulatedQueues",
                    "exponential",
                    1e9,
                    "600 accesses/s"),
            new Broken(
                    QuaestorFigure8.class,
                    0,
                    "stale.FlatFilter",
                    "mightContain",
                    false,
                    "reads with the filter that are staler than Delta"),
            new Broken(
                    QuaestorFigure8.class,
                    0,
                    "stale.FlatFilter",
                    "mightContain",
                    true,
                    "filter and purges, against none",
                    "mean latency of a query"),
            new Broken(
                    QuaestorFigure8d.class, 100_000, "ttl.TtlEstimator", "queryMillis", 0L, "client hits of queries"),
            new Broken(
                    QuaestorTable1.class,
                    300_000,
                    "stale.FlatFilter",
                    "mightContain",
                    true,
                    "100,000 records: latency of records",
                    "1,000,000 records: latency of queries"),
            new Broken(
                    QuaestorFigure9.class,
                    100_000,
                    "ttl.TtlEstimator",
                    "queryMillis",
                    0L,
                    "refresh 1 s: hit rate falls",
                    "refresh 10 s: hit rate falls",
                    "refresh 100 s: hit rate falls"),
            new Broken(
                    QuaestorFigure11.class,
                    0,
                    "ttl.TtlEstimator",
                    "queryMillis",
                    120_000L,
                    "quantile 0.25",
                    "quantile 0.50",
                    "quantile 0.75"),
            new Broken(SpareFigure2.class, 0, "replication.Factors", "at", 1, "5 pages/s, front end disturbed"));

    /** What is broken in an experiment, for the table of all figures. */
    static String proof(String id) {
        Class<?> experiment = PaperExperiments.of(id).experiment().getClass();
        return Stream.concat(QUICK.stream(), SLOW.stream())
                .filter(one -> one.experiment() == experiment)
                .map(one -> "`" + one.what() + "` is " + one.value())
                .collect(Collectors.joining(", "));
    }

    static List<Broken> quick() {
        return QUICK;
    }

    static List<Broken> slow() {
        return SLOW;
    }

    @ParameterizedTest
    @MethodSource
    void quick(Broken broken) throws Exception {
        check(broken);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource
    void slow(Broken broken) throws Exception {
        check(broken);
    }

    private static void check(Broken broken) throws Exception {
        List<List<String>> sound = rows(broken, ReproductionsCanFailTest.class.getClassLoader());
        List<List<String>> mutant =
                rows(broken, new Mutant(PRODUCT + broken.product(), broken.method(), broken.value()));
        for (String figure : broken.proves()) {
            assertThat(sound).as("%s", sound).anyMatch(row -> row.get(0).startsWith(figure) && row.contains("matches"));
            assertThat(mutant)
                    .as("%s", mutant)
                    .noneMatch(row -> row.get(0).startsWith(figure) && row.contains("matches"));
        }
    }

    /** Of an experiment whose classes come from a loader. */
    @SuppressWarnings("unchecked")
    private static List<List<String>> rows(Broken broken, ClassLoader loader) throws Exception {
        Class<?> type = loader.loadClass(broken.experiment().getName());
        Constructor<?> constructor =
                broken.size() == 0 ? type.getDeclaredConstructor() : type.getDeclaredConstructor(long.class);
        constructor.setAccessible(true);
        Object experiment = broken.size() == 0 ? constructor.newInstance() : constructor.newInstance(broken.size());
        Method run = loader.loadClass(Experiment.class.getName()).getMethod("run");
        Object reproduction = run.invoke(experiment);
        return (List<List<String>>) reproduction.getClass().getMethod("rows").invoke(reproduction);
    }

    /** Rivals' figures are notes: none can match. */
    @Test
    void everyExperimentThatClaimsSomethingIsInThisTest() {
        assertThat(PaperExperiments.all())
                .filteredOn(one -> proof(one.id()).isEmpty())
                .extracting(PaperExperiment::id)
                .containsExactly("rivals");
    }
}
