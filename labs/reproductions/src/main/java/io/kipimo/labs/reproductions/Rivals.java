package io.kipimo.labs.reproductions;

import io.kipimo.labs.reproductions.rivals.Codel;
import io.kipimo.labs.reproductions.rivals.Dagor;
import io.kipimo.labs.reproductions.rivals.FixedShare;
import io.kipimo.labs.reproductions.rivals.Gradient2;
import io.kipimo.labs.reproductions.rivals.ProbabilisticAdmitter;
import io.kipimo.labs.reproductions.rivals.RivalFront;
import io.kipimo.labs.reproductions.rivals.RivalLaw;
import io.kipimo.labs.reproductions.rivals.TimeOutPi;
import io.kipimo.labs.reproductions.rivals.Vegas;
import io.kipimo.simulator.report.Phrase;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.Simulation;
import io.kipimo.simulator.scenario.SimulationResult;
import io.kipimo.simulator.scenario.SimulationResult.ClassSlot;
import io.kipimo.simulator.scenario.SimulationResult.ClassTotal;
import io.kipimo.simulator.scenario.SimulationResult.Slot;
import io.kipimo.simulator.suite.ControlSuite;
import io.kipimo.simulator.suite.SuiteCase;
import io.kipimo.simulator.suite.SuiteFigures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * Compares other admission controls in the scenarios of {@code simulate --suite control}, at the same arrivals. Each
 * sees what the real one would see; only Kipimo pays for samples. A control with several settings runs with the best of
 * them in each case, found on another trace.
 */
final class Rivals implements Experiment {
    private static final long TUNING = 11;
    private static final int MEAN_SECONDS = 10;
    private static final double TOLERANCE = 0.005;

    private final List<SuiteCase> cases;
    private final long[] seeds;

    Rivals() {
        this(ControlSuite.admission(), 1, 2, 3);
    }

    Rivals(List<SuiteCase> cases, long... seeds) {
        this.cases = cases;
        this.seeds = seeds;
    }

    /**
     * A way to control admission.
     *
     * @param settings the laws to choose from; empty: the product's own control
     */
    private record RivalWay(String name, List<RivalLaw> settings) {}

    /**
     * Figures of one run.
     *
     * @param highGood good answers a second of the highest class: those whose quality is at least the threshold
     * @param lowGood good answers a second of the other classes
     * @param below share of the time at which the highest class's mean quality of the last ten seconds misses its
     *     objective
     * @param needless share of the lower classes' queries that were refused although the service could carry them
     */
    private record RivalFigures(double highGood, double lowGood, double below, double needless) {
        double regret() {
            return below + needless;
        }
    }

    /**
     * A figure to compare by. More of it is better if {@code sign} is 1, less if it is -1; {@code step} is the least
     * difference that counts.
     */
    private record Count(String name, ToDoubleFunction<RivalFigures> of, int sign, double step) {}

    private static final List<Count> COUNTS = List.of(
            new Count("high", RivalFigures::highGood, 1, 0.3),
            new Count("low", RivalFigures::lowGood, 1, 1),
            new Count("below", RivalFigures::below, -1, 0.01),
            new Count("needless", RivalFigures::needless, -1, 0.01));

    private static List<RivalWay> ways() {
        List<RivalLaw> shares = DoubleStream.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1)
                .<RivalLaw>mapToObj(FixedShare::new)
                .toList();
        List<RivalLaw> pis = DoubleStream.of(0.02, 0.05, 0.1, 0.2)
                .boxed()
                .<RivalLaw>flatMap(
                        point -> List.of(new TimeOutPi(point, 0.1, 0.02), new TimeOutPi(point, 0.5, 0.1)).stream())
                .toList();
        return List.of(
                new RivalWay("kipimo", List.of()),
                new RivalWay("gradient2", List.of(new Gradient2(4), new Gradient2(20))),
                new RivalWay("vegas", List.of(new Vegas())),
                new RivalWay("dagor", List.of(new Dagor())),
                new RivalWay("codel", List.of(new Codel())),
                new RivalWay("llm-d", List.of(new ProbabilisticAdmitter())),
                new RivalWay("pi, tuned", pis),
                new RivalWay("best fixed", shares));
    }

    @Override
    public Reproduction run() {
        List<List<Finding>> byCase = cases.parallelStream().map(this::findings).toList();
        return new Reproduction(
                Phrase.of(
                        "Each case of simulate --suite control with seeds %s. Figures: good answers/s of the high class"
                                + " and of the lower ones; share of the time in which the high class is below its"
                                + " objective; share of the low classes' queries refused without need. Noted: what"
                                + " is better than Kipimo in every run.",
                        Arrays.toString(seeds)),
                byCase.stream().flatMap(List::stream).toList());
    }

    private List<Finding> findings(SuiteCase one) {
        List<Finding> findings = new ArrayList<>();
        List<RivalFigures> ours = List.of();
        for (RivalWay way : ways()) {
            Optional<RivalLaw> law = way.settings().stream()
                    .min(Comparator.comparingDouble(setting -> way.settings().size() == 1
                            ? 0
                            : figures(one, Optional.of(setting), TUNING).regret()));
            List<RivalFigures> runs = LongStream.of(seeds)
                    .mapToObj(seed -> figures(one, law, seed))
                    .toList();
            ours = law.isEmpty() ? runs : ours;
            findings.add(Finding.alone(
                    one.name() + ", " + way.name(),
                    Phrase.of(
                            "%5.1f; %6.1f; %.3f; %.3f",
                            mean(runs, RivalFigures::highGood),
                            mean(runs, RivalFigures::lowGood),
                            mean(runs, RivalFigures::below),
                            mean(runs, RivalFigures::needless)),
                    note(ours, runs)));
        }
        return findings;
    }

    private static double mean(List<RivalFigures> runs, ToDoubleFunction<RivalFigures> figure) {
        return runs.stream().mapToDouble(figure).average().orElseThrow();
    }

    /** Names the figures in which a way is better than ours, and says whether ours is better in others. */
    private static String note(List<RivalFigures> ours, List<RivalFigures> theirs) {
        List<String> better = COUNTS.stream()
                .filter(count -> isBetter(count, theirs, ours))
                .map(Count::name)
                .toList();
        if (better.isEmpty()) {
            return "";
        }
        boolean inAll = COUNTS.stream().noneMatch(count -> isBetter(count, ours, theirs));
        return (inAll ? "better: " : "better, at a price: ") + String.join(", ", better);
    }

    private static boolean isBetter(Count count, List<RivalFigures> one, List<RivalFigures> other) {
        double least = one.stream()
                .mapToDouble(f -> count.sign() * count.of().applyAsDouble(f))
                .min()
                .orElseThrow();
        double most = other.stream()
                .mapToDouble(f -> count.sign() * count.of().applyAsDouble(f))
                .max()
                .orElseThrow();
        return least > most && count.sign() * (mean(one, count.of()) - mean(other, count.of())) >= count.step();
    }

    private static RivalFigures figures(SuiteCase one, Optional<RivalLaw> law, long seed) {
        Scenario scenario = one.scenario().withSeed(seed);
        SimulationResult result = Simulation.run(scenario, law.map(l -> new RivalFront(l, scenario)));
        double objective =
                scenario.control().orElseThrow().policy().highestClass().objective();
        List<ClassTotal> lower = result.classes().subList(1, result.classes().size());
        return new RivalFigures(
                result.classes().get(0).good() / result.seconds(),
                lower.stream().mapToLong(ClassTotal::good).sum() / result.seconds(),
                below(result.slots(), objective),
                SuiteFigures.of(one, objective, result).needless());
    }

    private static double below(List<Slot> slots, double objective) {
        int below = 0;
        for (int until = MEAN_SECONDS; until <= slots.size(); until++) {
            double quality = 0;
            long answered = 0;
            for (Slot slot : slots.subList(until - MEAN_SECONDS, until)) {
                ClassSlot high = slot.classes().get(0);
                quality += high.quality() * high.answered();
                answered += high.answered();
            }
            below += quality < (objective - TOLERANCE) * answered ? 1 : 0;
        }
        return below / (double) (slots.size() - MEAN_SECONDS + 1);
    }
}
