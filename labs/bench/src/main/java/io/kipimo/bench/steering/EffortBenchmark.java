package io.kipimo.bench.steering;

import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.index.PartitionedIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * What it costs and loses to work less hard on a query, on real engines without load, by processor time. Against one
 * level for all queries that an oracle has tuned.
 */
public final class EffortBenchmark implements Benchmark {
    /** Quality that the high class keeps. A site sets its single level by it. */
    private static final double HIGH = 0.99;

    /** The low class's floor. */
    private static final double FLOOR = 0.95;

    /** Good answers for the same work, below which it is not worth a controller. */
    private static final double WORTH = 1.3;

    /** What the low class has, as shares of what all of its queries would need. */
    private static final double[] BUDGETS = {0.75, 0.5, 0.25};

    private static final String FULL = "full";
    private static final String FIXED = "fixed ";
    private static final String BY_GROUP = "by group ";

    private final SteeringSettings settings = SteeringSettings.read();
    private final List<EffortService> services = List.of(new EffortVectors(), new EffortRerank(), new EffortScans());

    private final Table levels = new Table("Levels");
    private final Table same =
            new Table("Level by group against one fixed level, at the same mean quality (CPU of full)");
    private final Table served =
            new Table("Low class in overload: what it gets from a share of the CPU that it needs at its site's level");
    private final Table verdicts = new Table("Stop rule: 1.3 times the good answers");

    @Override
    public Result run(Context context) throws Exception {
        List<String> notes = new ArrayList<>();
        context.say("building the index");
        Corpus corpus = Corpus.load();
        PartitionedIndex index = PartitionedIndex.skewed(corpus);
        for (EffortService service : services) {
            Optional<String> whyNot = service.whyNot();
            if (whyNot.isPresent()) {
                notes.add(service.name() + " is missing: " + whyNot.get());
                continue;
            }
            report(new EffortChoices(service.measure(context, settings, corpus, index), settings.good()));
        }
        notes.add("Quality is the share of the first level's answer; an answer is good from "
                + settings.good()
                + ". Between two levels a fixed one is a mixture of both.");
        notes.add("Choices by group are learned from half of the queries and judged on the other"
                + " half; fixed levels at the same mean quality are tuned on the judged"
                + " half itself.");
        return new Result(List.of(levels, same, served, verdicts), notes);
    }

    private void report(EffortChoices choices) {
        EffortSamples samples = choices.samples();
        EffortChoices.EffortPoint full = choices.judge(choices.same(0));
        for (int level = 0; level < samples.levels().size(); level++) {
            EffortChoices.EffortPoint point = choices.judge(choices.same(level));
            levels.row()
                    .cell("service", samples.service())
                    .cell("level", samples.levels().get(level))
                    .cell("quality", point.quality(), 4)
                    .cell("good", point.good(), 3)
                    .cell("CPU us/query", (long) point.cpuMicros())
                    .cell("of full", point.cpuMicros() / full.cpuMicros(), 3)
                    .cell("counted/query", (long) samples.counted()[level]);
        }
        double strict = Double.NaN;
        for (double quality : new double[] {HIGH, FLOOR}) {
            ToDoubleFunction<List<EffortChoices.EffortPoint>> cost =
                    points -> at(points, quality, EffortChoices.EffortPoint::cpuMicros);
            ToDoubleFunction<List<EffortChoices.EffortPoint>> yield =
                    points -> at(points, quality, EffortChoices.EffortPoint::goodPerCpuMicro);
            double byGroup = yield.applyAsDouble(choices.byGroup());
            double fixed = yield.applyAsDouble(choices.fixed());
            strict = byGroup / fixed;
            same.row()
                    .cell("service", samples.service())
                    .cell("quality", quality)
                    .cell("fixed", cost.applyAsDouble(choices.fixed()) / full.cpuMicros(), 3)
                    .cell("by group", cost.applyAsDouble(choices.byGroup()) / full.cpuMicros(), 3)
                    .cell("perfect", cost.applyAsDouble(choices.perfect()) / full.cpuMicros(), 3)
                    .cell("good/CPU: by group : fixed", strict, 2)
                    .cell("perfect : fixed", yield.applyAsDouble(choices.perfect()) / fixed, 2)
                    .cell("by group : full", byGroup / full.goodPerCpuMicro(), 2);
        }
        double fromFull = overload(choices, FULL, choices.same(0))[1];
        double[] fromTuned = overload(choices, FIXED + HIGH, choices.fixedAt(HIGH));
        verdicts.row()
                .cell("service", samples.service())
                .cell("same mean quality, by group", strict, 2)
                .cell("high class at .99, low class fixed .95", fromTuned[0], 2)
                .cell("low class by group .95", fromTuned[1], 2)
                .cell("low class by group, high class at full", fromFull, 2)
                .cell("side", Math.max(strict, fromTuned[1]) >= WORTH ? "go on" : "stop");
    }

    private static double at(
            List<EffortChoices.EffortPoint> points,
            double quality,
            ToDoubleFunction<EffortChoices.EffortPoint> figure) {
        return FanOutBenchmark.figureAt(points, EffortChoices.EffortPoint::quality, quality, figure);
    }

    /**
     * Rows of one site's level.
     *
     * @return good answers of a fixed level and of those by group, at half of the work, against the best of the site's
     *     level
     */
    private double[] overload(EffortChoices choices, String name, int[] siteLevels) {
        double needed = choices.judge(siteLevels).cpuMicros();
        double[] atHalf = new double[2];
        for (double share : BUDGETS) {
            double cpuMicros = share * needed;
            double site = row(choices, name, share, name, siteLevels, siteLevels, cpuMicros, Double.NaN);
            int[] fixed = choices.fixedAt(FLOOR);
            double[] gains = {
                row(choices, name, share, FIXED + FLOOR, fixed, fixed, cpuMicros, site),
                row(
                        choices,
                        name,
                        share,
                        BY_GROUP + FLOOR,
                        choices.byGroupWithin(FLOOR, cpuMicros, false),
                        choices.byGroupWithin(FLOOR, cpuMicros, true),
                        cpuMicros,
                        site)
            };
            if (share == 0.5) {
                atHalf = new double[] {gains[0] / site, gains[1] / site};
            }
        }
        return atHalf;
    }

    /** The good answers of the better way to turn queries away. */
    private double row(
            EffortChoices choices,
            String siteLevel,
            double share,
            String name,
            int[] uniformLevels,
            int[] costliestFirstLevels,
            double cpuMicros,
            double site) {
        EffortChoices.ServedClass uniform = choices.serve(uniformLevels, cpuMicros, false);
        EffortChoices.ServedClass first = choices.serve(costliestFirstLevels, cpuMicros, true);
        double best = Math.max(uniform.good(), first.good());
        served.row()
                .cell("service", choices.samples().service())
                .cell("site's level", siteLevel)
                .cell("CPU", share)
                .cell("low class's level", name)
                .cell("admitted", uniform.admitted(), 3)
                .cell("quality", uniform.quality(), 3)
                .cell("good", uniform.good(), 3)
                .cell("costliest first: admitted", first.admitted(), 3)
                .cell("quality ", first.quality(), 3)
                .cell("good ", first.good(), 3)
                .cell("against the site's best", Double.isNaN(site) ? 1.0 : Table.digits(best / site, 2));
        return best;
    }
}
