package io.kipimo.cli.advice;

import io.kipimo.cli.kafka.KafkaCommand;
import io.kipimo.cli.terminal.ExitCodes;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.TimeSpan;
import io.kipimo.core.quality.similarity.Similarities;
import io.kipimo.core.quality.window.GateRule;
import io.kipimo.core.quality.window.GateVerdict;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kipimo gate}: checks whether answer quality is good enough for a release to go on. */
@Command(
        name = "gate",
        description = {
            "Checks whether the answer quality of a class is good enough for a release to go on. "
                    + "PASS: the low end of its 95 %% interval is at least the objective. FAIL: "
                    + "the high end is below it. NOT-ENOUGH: neither, or too few measurements; "
                    + "missing data never passes. Against a baseline the same applies to the drop.",
            "",
            "On a running system it reads the control batches of quality-windows; with "
                    + "--measurements it reads the output of kipimo tail quality.",
            "",
            "With --variant it judges one variant of the class, such as a canary, and with"
                    + " --against also compares it with another one over the same time.",
            "",
            "With --wait it repeats the check until there is a verdict. Frequent checks would pass or fail by "
                    + "chance, so it checks again only after half as many further measurements as before.",
            "",
            "Exits with 0 at PASS, 1 at FAIL, 3 at NOT-ENOUGH."
        },
        footer = {
            "  kipimo gate --service search --class high --from now --wait 10m",
            "  kipimo gate --service search --class high --variant canary --against stable",
            "  kipimo gate --service search --class high --since 10m --allowed-drop 0.01"
                    + " --baseline-from 2026-05-01T12:00:00Z --baseline-to 2026-05-01T13:00:00Z",
            "  kipimo tail quality --from-beginning --until-end > measurements.jsonl",
            "  kipimo gate --measurements measurements.jsonl --class high --objective 0.95"
        })
public final class GateCommand extends KafkaCommand {
    static final String DEFAULT_SINCE = "10m";
    static final int DEFAULT_MINIMUM_SAMPLES = 100;
    static final double DEFAULT_ALLOWED_DROP = 0.01;
    private static final long POLL_SECONDS = 2;

    /** Factor by which the number of measurements must grow before the gate checks again. */
    private static final double GROWTH = 1.5;

    @Mixin
    private ClassFilter filter;

    @Option(
            names = "--metric",
            paramLabel = "METRIC",
            description = "Similarity function, such as tpr@20. Default: the first one measured.")
    private String metric;

    @Option(
            names = "--objective",
            paramLabel = "QUALITY",
            description = "Mean quality to keep, 0..1. Default: the policy's.")
    private Double objective;

    @Option(
            names = "--minimum-samples",
            paramLabel = "N",
            defaultValue = "" + DEFAULT_MINIMUM_SAMPLES,
            description = "Fewest measured queries for a verdict. Default: ${DEFAULT-VALUE}")
    private int minimumSamples;

    @Option(
            names = "--since",
            paramLabel = "TIME",
            description = "On a running system: read the last 45s, 30m, 2h. Default: 10m")
    private String since;

    @Option(names = "--from", paramLabel = "MOMENT", description = "Start of the period: 2026-05-01T12:00:00Z, or now.")
    private String from;

    @Option(names = "--to", paramLabel = "MOMENT", description = "End of the period. Default: now.")
    private String to;

    @Option(names = "--baseline-from", paramLabel = "MOMENT", description = "Start of a period to compare with.")
    private String baselineFrom;

    @Option(names = "--baseline-to", paramLabel = "MOMENT", description = "End of that period.")
    private String baselineTo;

    @Option(
            names = "--variant",
            paramLabel = "NAME",
            description = "Variant to judge, such as canary. Default: all answers of the class.")
    private String variant;

    @Option(
            names = "--against",
            paramLabel = "NAME",
            description = "Variant to compare it with, over the same time, such as stable.")
    private String against;

    @Option(
            names = "--allowed-drop",
            paramLabel = "QUALITY",
            defaultValue = "" + DEFAULT_ALLOWED_DROP,
            description = "How far the mean may lie below the baseline's, 0..1. Default: ${DEFAULT-VALUE}")
    private double allowedDrop;

    @Option(
            names = "--wait",
            paramLabel = "TIME",
            description = "On a running system: repeat for up to this time until there is a verdict.")
    private String wait;

    @Option(
            names = "--measurements",
            paramLabel = "FILE",
            description = "Output of kipimo tail quality; - is standard input.")
    private String measurements;

    @Option(
            names = "--observations",
            paramLabel = "FILE",
            description = "Output of kipimo tail observations for the same time: the front ends' counts "
                    + "of all queries, which make intervals narrower.")
    private String observations;

    @Override
    public Integer call() throws InterruptedException {
        long now = System.currentTimeMillis();
        boolean isRecorded = measurements != null;
        checkOptions(isRecorded);
        checkFigures(isRecorded);
        GateComparison comparison = GateComparison.of(variant, against, baseline(now));
        range(isRecorded, now, now);
        GateSource source = isRecorded
                ? RecordedMeasurements.of(
                        filter, Optional.ofNullable(metric), measurements, Optional.ofNullable(observations))
                : ControlBatches.of(
                        filter, Optional.ofNullable(metric), kafka.connect(ControlBatches.topic(comparison.variant())));
        GateRule rule = new GateRule(objective(source), allowedDrop, minimumSamples);
        GateReport report = evaluate(source, rule, isRecorded, now, comparison);
        output.print(report::document, report::print);
        return switch (report.result().verdict()) {
            case PASS -> ExitCodes.FINE;
            case FAIL -> ExitCodes.NO;
            case NOT_ENOUGH -> ExitCodes.NOT_ENOUGH;
        };
    }

    private void checkOptions(boolean isRecorded) {
        InputException.throwIf(
                isRecorded && (since != null || wait != null),
                (since != null ? "--since" : "--wait")
                        + " needs a running system; allowed with --measurements: --from, --to");
        InputException.throwIf(
                !isRecorded && observations != null, "--observations is given; allowed: with --measurements only");
        InputException.throwIf(since != null && from != null, "--since and --from are given; allowed: one of them");
        InputException.throwIf(wait != null && to != null, "--wait and --to are given; allowed: one of them");
        InputException.throwIf(
                (baselineFrom == null) != (baselineTo == null),
                "a baseline has two ends; allowed: both or none of --baseline-from, --baseline-to");
    }

    /** Checks the figures in options before any record is read. */
    private void checkFigures(boolean isRecorded) {
        InputException.throwIf(
                isRecorded && objective == null, "--objective is needed with --measurements; allowed: 0..1");
        new GateRule(objective == null ? 0 : objective, allowedDrop, minimumSamples);
        if (metric != null) {
            Similarities.parse(metric);
        }
        if (wait != null) {
            TimeSpan.parse("--wait", wait);
        }
    }

    private Optional<TimeRange> baseline(long now) {
        return baselineFrom == null
                ? Optional.empty()
                : Optional.of(new TimeRange(
                        TimeRange.moment("--baseline-from", baselineFrom, now),
                        TimeRange.moment("--baseline-to", baselineTo, now)));
    }

    private double objective(GateSource source) {
        return objective != null ? objective : source.objective().orElseThrow();
    }

    private TimeRange range(boolean isRecorded, long startMillis, long nowMillis) {
        if (from == null && isRecorded) {
            return to == null ? TimeRange.ALWAYS : new TimeRange(0, TimeRange.moment("--to", to, startMillis));
        }
        long fromMillis = from == null
                ? startMillis
                        - TimeSpan.parse("--since", since == null ? DEFAULT_SINCE : since)
                                .toMillis()
                : TimeRange.moment("--from", from, startMillis);
        long untilMillis = to != null
                ? TimeRange.moment("--to", to, startMillis)
                : isRecorded ? Long.MAX_VALUE : Math.max(nowMillis, fromMillis + 1);
        return new TimeRange(fromMillis, untilMillis);
    }

    private GateReport evaluate(
            GateSource source, GateRule rule, boolean isRecorded, long startMillis, GateComparison comparison)
            throws InterruptedException {
        Duration patience = wait == null ? Duration.ZERO : TimeSpan.parse("--wait", wait);
        long giveUpNanos = System.nanoTime() + patience.toNanos();
        int next = 0;
        while (true) {
            boolean isLast = System.nanoTime() >= giveUpNanos;
            TimeRange range = range(isRecorded, startMillis, System.currentTimeMillis());
            GateInput evidence = comparison.candidate(source, range);
            int samples = evidence.gate().counts().samples();
            if (isLast || samples >= next) {
                GateReport report = GateReport.of(evidence, comparison.baseline(source, range), rule);
                if (isLast || report.result().verdict() != GateVerdict.NOT_ENOUGH) {
                    return report;
                }
                next = (int) Math.max(minimumSamples, GROWTH * samples);
            }
            TimeUnit.SECONDS.sleep(POLL_SECONDS);
        }
    }
}
