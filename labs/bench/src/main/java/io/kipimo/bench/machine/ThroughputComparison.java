package io.kipimo.bench.machine;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Repetitions;
import io.kipimo.bench.report.SubjectComparison;
import io.kipimo.bench.report.Table;
import io.kipimo.bench.side.SubjectRun;
import io.kipimo.simulator.report.Phrase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/** Compares the event rates of subjects, and checks their output. */
public final class ThroughputComparison {
    /** Checks the results of one repetition, and removes them. */
    public interface RepetitionCheck {
        /**
         * Checks and removes the results.
         *
         * @return description of wrong results; empty if they are right
         */
        Optional<String> fault() throws Exception;
    }

    private final SubjectComparison<String, SubjectRun> comparison;
    private final String unit;
    private final List<String> checked = new ArrayList<>();
    private final Map<String, String> faults = new LinkedHashMap<>();
    private final Map<String, Long> brokerMicros = new HashMap<>();
    private LongSupplier brokerClock;
    private long leastMicros;
    private Map<String, Repetitions<SubjectRun>> results = Map.of();
    private Optional<String> otherLoad = Optional.empty();

    /**
     * Compares subjects.
     *
     * @param unit what a subject processes, in the plural
     * @param warmUps least number of warm-up repetitions of each subject; further ones follow until it is steady, and
     *     all of them run before the first measured one
     */
    public ThroughputComparison(Context context, String unit, int warmUps) {
        this.unit = unit;
        this.comparison = new SubjectComparison<String, SubjectRun>(context)
                .warmUps(warmUps)
                // A new job occupies the JIT compiler, on both cores, for a minute.
                .warmUpSeparately()
                .warmUpUntilSteady(SubjectRun::eventsPerSecond)
                .progress(this::line);
    }

    /** Repeats the work of each measured repetition until it has lasted at least the given time. */
    public ThroughputComparison lasting(Duration least) {
        leastMicros = least.toNanos() / 1000;
        return this;
    }

    /**
     * Adds the broker's processor time to the table.
     *
     * @param cpuMicros the broker's processor time so far, microseconds
     */
    public ThroughputComparison withBroker(LongSupplier cpuMicros) {
        brokerClock = cpuMicros;
        return this;
    }

    /** Adds a subject whose output cannot be checked. */
    public ThroughputComparison add(String subject, SubjectComparison.RoundWork<SubjectRun> work) {
        addLasting(subject, round -> timed(subject, work, round));
        return this;
    }

    /** Adds a subject whose results are checked after every run. */
    public ThroughputComparison add(
            String subject, SubjectComparison.RoundWork<SubjectRun> work, RepetitionCheck check) {
        checked.add(subject);
        addLasting(subject, round -> {
            SubjectRun run = timed(subject, work, round);
            check.fault().ifPresent(fault -> faults.put(subject, fault));
            return run;
        });
        return this;
    }

    private void addLasting(String subject, SubjectComparison.RoundWork<SubjectRun> work) {
        comparison.add(subject, round -> {
            SubjectRun run = work.run(round);
            while (round >= 0 && run.wallMicros() < leastMicros) {
                run = run.plus(work.run(round));
            }
            return run;
        });
    }

    /** Runs the work once, and adds up the broker's processor time for measured repetitions. */
    private SubjectRun timed(String subject, SubjectComparison.RoundWork<SubjectRun> work, int round) throws Exception {
        long before = brokerClock == null ? 0 : brokerClock.getAsLong();
        SubjectRun run = work.run(round);
        if (brokerClock != null && round >= 0) {
            brokerMicros.merge(subject, brokerClock.getAsLong() - before, Long::sum);
        }
        return run;
    }

    public ThroughputComparison run() throws Exception {
        OtherLoad others = OtherLoad.start();
        results = comparison.run();
        otherLoad = others.warning();
        return this;
    }

    /** A note if the machine was too busy to believe the event rates. */
    public Optional<String> busyNote() {
        return otherLoad;
    }

    /** The last fault of each subject that wrote wrong results. */
    public Map<String, String> faults() {
        return faults;
    }

    /** Rates of a subject: best and median per second, then best and median per CPU-second. */
    public Object[] rates(String subject) {
        Repetitions<SubjectRun> runs = results.get(subject);
        return new Object[] {
            runs.best(SubjectRun::eventsPerSecond),
            runs.median(SubjectRun::eventsPerSecond),
            runs.best(SubjectRun::eventsPerCpuSecond),
            runs.median(SubjectRun::eventsPerCpuSecond)
        };
    }

    /** Verdict on a subject's results: {@code right}, {@code WRONG}, or null if nothing was checked. */
    public String verdict(String subject) {
        return !checked.contains(subject) ? null : faults.containsKey(subject) ? "WRONG" : "right";
    }

    /**
     * A table with a row for each subject. A row includes the reference's rate as a multiple of the subject's.
     *
     * @param resultsColumn name of the column that shows whether the results were right
     */
    public Table table(String reference, String resultsColumn) {
        Table table = new Table("Sides, best and median repetition");
        Repetitions<SubjectRun> kipimo = results.get(reference);
        results.forEach((subject, runs) -> {
            Object[] rates = rates(subject);
            table.row()
                    .cell("side", subject)
                    .cell(unit, runs.last().events())
                    .cell(unit + "/s best", rates[0])
                    .cell(unit + "/s median", rates[1])
                    .cell(unit + "/CPU-s best", rates[2])
                    .cell(unit + "/CPU-s median", rates[3])
                    .cell("kipimo is times (s)", kipimo.best(SubjectRun::eventsPerSecond) / (double) rates[0])
                    .cell("kipimo is times (CPU-s)", kipimo.best(SubjectRun::eventsPerCpuSecond) / (double) rates[2])
                    .cell(
                            "broker us/" + unit,
                            brokerMicros.containsKey(subject)
                                    ? brokerMicros.get(subject) / runs.sum(SubjectRun::events)
                                    : null)
                    .cell("bytes/" + unit, runs.last().details().get(SubjectRun.BYTES_PER_EVENT))
                    .cell(resultsColumn, verdict(subject));
        });
        return table;
    }

    private String line(String subject, SubjectRun run) {
        return Phrase.of(
                "%-22s %,11.0f %s/s %,11.0f %s/CPU-s",
                subject, run.eventsPerSecond(), unit, run.eventsPerCpuSecond(), unit);
    }
}
