package io.kipimo.bench.micro;

import io.kipimo.bench.report.Benchmark;
import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Result;
import io.kipimo.bench.report.Table;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs every JMH benchmark in the class path. They come from the test jars of the modules. */
public final class MicroBenchmarks implements Benchmark {
    private static final String OURS = "io\\.kipimo\\..*";

    @Override
    public Result run(Context context) throws Exception {
        ChainedOptionsBuilder options = new OptionsBuilder().include(OURS).verbosity(VerboseMode.SILENT);
        if (context.effort() != Context.BenchmarkEffort.FULL) {
            TimeValue time = TimeValue.milliseconds(context.choose(10, 300, 0));
            options.forks(1)
                    .warmupIterations(2)
                    .warmupTime(time)
                    .measurementIterations(3)
                    .measurementTime(time);
        }
        Collection<RunResult> results = new Runner(options.build()).run();
        Table table = new Table("JMH");
        for (RunResult result : results) {
            BenchmarkParams params = result.getParams();
            String name = params.getBenchmark();
            table.row()
                    .cell("benchmark", name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1))
                    .cell(
                            "parameters",
                            params.getParamsKeys().stream()
                                    .map(key -> key + "=" + params.getParam(key))
                                    .collect(Collectors.joining(" ")))
                    .cell("score", result.getPrimaryResult().getScore())
                    .cell("error", finite(result.getPrimaryResult().getScoreError()))
                    .cell("unit", result.getPrimaryResult().getScoreUnit());
        }
        return new Result(List.of(table), List.of("the error is half of the 99.9 % confidence interval"));
    }

    /** Replaces NaN and infinity, which JSON cannot express, by null. */
    private static Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }
}
