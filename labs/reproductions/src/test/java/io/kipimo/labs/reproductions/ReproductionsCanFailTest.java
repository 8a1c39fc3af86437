package io.kipimo.labs.reproductions;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.quality.merge.Merges;
import io.kipimo.core.rating.Search;
import io.kipimo.core.replication.Factors;
import io.kipimo.core.replication.FeasibilityLimits;
import io.kipimo.core.replication.ReplicationSettings;
import io.kipimo.core.replication.ReplicationSettingsBuilder;
import io.kipimo.core.replication.TargetMetric;
import io.kipimo.core.stale.FlatFilter;
import io.kipimo.core.ttl.TtlEstimator;
import io.kipimo.schemas.policy.MergeKind;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.simulator.scenario.ScenarioController;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** With the product's part broken on purpose, figures that matched the paper's differ from them. */
class ReproductionsCanFailTest {
    /** They print figures of their own alone, which no paper has. */
    private static final Set<String> OF_NO_PAPER = Set.of("ubora-mixes", "shedding", "fanout", "rivals");

    /** Minutes each. */
    private static final Set<String> LONG = Set.of(
            "ubora-figure-11",
            "ubora-table-2",
            "spare-figure-6",
            "spare-figure-8",
            "spare-estimator",
            "zoolander-figure-8",
            "zoolander-figure-9");

    /**
     * An experiment, on the fewest traces that still tell its forms apart.
     *
     * @param what the product's part that is broken on purpose
     */
    private record Forms(String what, Experiment sound, Experiment broken) {}

    private static final Map<String, Forms> COMPARED = Map.ofEntries(
            entry(
                    "ubora-figure-6",
                    "the merge keeps the first component alone",
                    new UboraFigure6(),
                    new UboraFigure6(Merges.of(new MergePolicy(MergeKind.PREFERRED, List.of("0"), Map.of())))),
            entry(
                    "ubora-figure-11",
                    "no control",
                    new UboraFigure11(ScenarioController.QUALITY, 2, 101, 102),
                    new UboraFigure11(ScenarioController.FULL_SHARING, 2, 101, 102)),
            entry(
                    "ubora-table-2",
                    "no control",
                    new UboraTable2(ScenarioController.QUALITY, 201),
                    new UboraTable2(ScenarioController.FULL_SHARING, 201)),
            entry("spare-figure-2", "no copies", new SpareFigure2(), new SpareFigure2(Factors.ones(2))),
            entry(
                    "spare-figure-6",
                    "no room for copies",
                    new SpareFigure6(),
                    new SpareFigure6(ReproductionsCanFailTest::withoutCopies)),
            entry(
                    "spare-figure-8",
                    "no room for copies",
                    new SpareFigure8(),
                    new SpareFigure8(ReproductionsCanFailTest::withoutCopies)),
            entry("spare-estimator", "estimates a tenth too high", new SpareEstimator(), new SpareEstimator(1.1)),
            entry(
                    "zoolander-figure-5",
                    "predicts 1",
                    new ZoolanderFigure5(),
                    new ZoolanderFigure5((times, tau, duplicates, rate) -> 1)),
            entry(
                    "zoolander-figure-8",
                    "forgets half of the duplicates",
                    new ZoolanderFigure8(),
                    new ZoolanderFigure8(half(Prediction.FORMULA), half(Prediction.QUEUES))),
            entry("zoolander-figure-9", "imagines three duplicates", new ZoolanderFigure9(), new ZoolanderFigure9(3)));

    /**
     * A method of the product that gives a fixed value.
     *
     * @param experiment its class, with a constructor that takes the number of reads
     * @param reads 0: all
     * @param proves beginning of the figures that match, and then differ
     */
    private record Broken(
            Class<? extends Experiment> experiment,
            long reads,
            Class<?> product,
            String method,
            Object value,
            String... proves) {
        @Override
        public String toString() {
            return experiment.getSimpleName() + " " + product.getSimpleName() + "." + method + " = " + value;
        }
    }

    private static final List<Broken> QUICK = List.of(
            new Broken(
                    RatingTable3.class, 0, Search.class, "peaksBelow", true, "golden, all ratings and climbs: error"),
            new Broken(
                    QuaestorFigure8d.class, 100_000, TtlEstimator.class, "queryMillis", 0L, "client hits of queries"),
            new Broken(QuaestorFigure10.class, 20_000, FlatFilter.class, "mightContain", false, "of "));

    private static final List<Broken> SLOW = List.of(
            new Broken(
                    QuaestorFigure8.class,
                    200_000,
                    FlatFilter.class,
                    "mightContain",
                    false,
                    "reads with the filter that are staler than Delta"),
            new Broken(
                    QuaestorFigure8.class,
                    200_000,
                    FlatFilter.class,
                    "mightContain",
                    true,
                    "filter and purges, against none",
                    "mean latency of a query"),
            new Broken(
                    QuaestorTable1.class,
                    300_000,
                    FlatFilter.class,
                    "mightContain",
                    true,
                    "100,000 records: latency of records",
                    "1,000,000 records: latency of queries"),
            new Broken(
                    QuaestorFigure9.class,
                    100_000,
                    TtlEstimator.class,
                    "queryMillis",
                    0L,
                    "refresh 1 s: hit rate falls",
                    "refresh 10 s: hit rate falls",
                    "refresh 100 s: hit rate falls"),
            new Broken(
                    QuaestorFigure11.class,
                    600_000,
                    TtlEstimator.class,
                    "queryMillis",
                    3_600_000L,
                    "quantile 0.25",
                    "quantile 0.50",
                    "quantile 0.75"));

    /** What is broken in an experiment, for the table of all figures. */
    static String proof(String id) {
        Class<?> experiment = PaperExperiments.of(id).experiment().getClass();
        String mutants = Stream.concat(QUICK.stream(), SLOW.stream())
                .filter(one -> one.experiment() == experiment)
                .map(one -> "`" + one.product().getSimpleName() + "." + one.method() + "` is " + one.value())
                .collect(Collectors.joining(", "));
        return OF_NO_PAPER.contains(id)
                ? ""
                : mutants.isEmpty() ? COMPARED.get(id).what() : mutants;
    }

    static List<Broken> quickMutants() {
        return QUICK;
    }

    static List<Broken> slowMutants() {
        return SLOW;
    }

    @ParameterizedTest
    @MethodSource
    void quickMutants(Broken broken) throws Exception {
        check(broken);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource
    void slowMutants(Broken broken) throws Exception {
        check(broken);
    }

    private static void check(Broken broken) throws Exception {
        List<List<String>> sound = rows(broken, ReproductionsCanFailTest.class.getClassLoader());
        List<List<String>> mutant = rows(broken, new Mutant(broken.product(), broken.method(), broken.value()));
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
                broken.reads() == 0 ? type.getDeclaredConstructor() : type.getDeclaredConstructor(long.class);
        constructor.setAccessible(true);
        Object experiment = broken.reads() == 0 ? constructor.newInstance() : constructor.newInstance(broken.reads());
        Method run = loader.loadClass(Experiment.class.getName()).getMethod("run");
        Object reproduction = run.invoke(experiment);
        return (List<List<String>>) reproduction.getClass().getMethod("rows").invoke(reproduction);
    }

    private static Map.Entry<String, Forms> entry(String id, String what, Experiment sound, Experiment broken) {
        return Map.entry(id, new Forms(what, sound, broken));
    }

    private static ReplicationSettings withoutCopies(TargetMetric target) {
        return ReplicationSettingsBuilder.builder(PartialReplication.papers(target))
                .limits(new FeasibilityLimits(0.5, 0.8, 0))
                .build();
    }

    /** Forgets half of the duplicates. */
    private static Prediction half(Prediction whole) {
        return (times, tau, duplicates, perSecond) -> whole.level(times, tau, Math.max(1, duplicates / 2), perSecond);
    }

    static List<String> quick() {
        return COMPARED.keySet().stream().filter(id -> !LONG.contains(id)).toList();
    }

    static Set<String> slow() {
        return LONG;
    }

    @ParameterizedTest
    @MethodSource
    void quick(String id) {
        check(COMPARED.get(id));
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource
    void slow(String id) {
        check(COMPARED.get(id));
    }

    @Test
    void everyExperimentIsInThisTest() {
        Set<Class<?>> mutated = Stream.concat(QUICK.stream(), SLOW.stream())
                .map(Broken::experiment)
                .collect(Collectors.toSet());
        assertThat(PaperExperiments.all())
                .filteredOn(one -> !OF_NO_PAPER.contains(one.id()))
                .allMatch(one -> COMPARED.containsKey(one.id())
                        != mutated.contains(one.experiment().getClass()));
    }

    private static void check(Forms forms) {
        Reproduction sound = forms.sound().run();
        Reproduction broken = forms.broken().run();

        assertThat(sound.count(Finding.FindingVerdict.MATCHES))
                .as("%s", sound.rows())
                .isPositive();
        assertThat(broken.count(Finding.FindingVerdict.MATCHES))
                .as("%s", broken.rows())
                .isLessThan(sound.count(Finding.FindingVerdict.MATCHES));
        assertThat(broken.count(Finding.FindingVerdict.DIFFERS))
                .isGreaterThan(sound.count(Finding.FindingVerdict.DIFFERS));
    }
}
