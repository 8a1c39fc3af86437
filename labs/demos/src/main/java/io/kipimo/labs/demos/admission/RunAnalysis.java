package io.kipimo.labs.demos.admission;

import io.kipimo.core.quality.estimate.StratifiedEstimator;
import io.kipimo.core.quality.estimate.StratumCounts;
import io.kipimo.examples.search.load.LoadResult;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.MeasurementBill;
import io.kipimo.schemas.quality.QualityWindow;
import io.kipimo.schemas.quality.Score;
import io.kipimo.schemas.quality.WindowKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Computes the figures of a run from the records of jobs and service and from the load generator's counts. */
record RunAnalysis(TopicRecorder recorder, DemoSettings settings, int components) {
    /** Quality from which an answer counts as good. */
    private static final double GOOD = 0.9;

    RunResult analyse(WayOfControl way, long from, long until, LoadResult load) {
        List<Measurement> measurements = measurements(WayOfControl.HIGH, from, until);
        List<Observation> observations = recorder.observations(from - 999, until);
        StratumCounts counts = counts(measurements, observations);
        List<QualityWindow> windows = recorder.windows(from + settings.windowMillis(), until + 1).stream()
                .filter(w -> w.kind() == WindowKind.SLIDING)
                .filter(w -> w.queryClass().equals(WayOfControl.HIGH))
                .filter(w -> w.metric().equals(measuredMetric(measurements)))
                .filter(w -> w.estimate().isPresent())
                .toList();
        long good = windows.stream()
                .filter(w -> w.estimate().get().mean() >= settings.objective())
                .count();
        long degraded = measurements.stream().filter(Measurement::degraded).count();
        long expired = measurements.stream()
                .filter(m -> m.completeness() == Completeness.EXPIRED)
                .count();
        long complete = measurements.stream()
                .filter(m -> m.completeness() == Completeness.COMPLETE)
                .count();
        MeasurementBill bill =
                observations.stream().map(Observation::bill).reduce(MeasurementBill.NOTHING, MeasurementBill::plus);
        double seconds = (until - from) / 1e3;
        return RunResultBuilder.builder()
                .way(way)
                .quality(StratifiedEstimator.estimate(counts).orElse(new Estimate(0, 0, 1)))
                .windowsAtObjective(windows.isEmpty() ? 0 : (double) good / windows.size())
                .windows(windows.size())
                .lowOfferedPerSecond(load.low().offered() / seconds)
                .lowAdmittedShare(load.low().offered() == 0 ? 0 : load.low().admittedShare())
                .lowGoodPerSecond(goodShare(measurements(WayOfControl.LOW, from, until))
                        * load.low().answered()
                        / seconds)
                .timeOutShare(counts.answered() == 0 ? 0 : (double) counts.timedOut() / counts.answered())
                .expiredShare(degraded == 0 ? 0 : (double) expired / degraded)
                .high(latency(load.high()))
                .low(latency(load.low()))
                .maturePer100Queries(counts.answered() == 0 ? 0 : 100.0 * complete / counts.answered())
                .bill(bill)
                .billShareOfWork(bill.lateWorkMicros() / 1e6 / (seconds * components))
                .samples(measurements.size())
                .decisions((int) recorder.decisions(from, until).stream()
                        .filter(d -> d.mode().isEffective())
                        .filter(d -> d.scope().endsWith("/" + WayOfControl.LOW))
                        .count())
                .sendLagP99Millis(load.generator().p99LagMillis())
                .seconds(seconds(from, until, windows, observations, load))
                .build();
    }

    private List<Measurement> measurements(String queryClass, long from, long until) {
        return recorder.measurements(from, until).stream()
                .filter(m -> m.queryClass().equals(queryClass))
                .toList();
    }

    /**
     * Share of the sampled answers that are certainly good; 0 if none was sampled. An answer that cannot be measured
     * does not count as good, such as a cut one that is not run again.
     */
    private static double goodShare(List<Measurement> measurements) {
        return measurements.stream()
                .mapToDouble(m -> !m.scores().isEmpty() && m.scores().get(0).low() >= GOOD ? 1 : 0)
                .average()
                .orElse(0);
    }

    private static StratumCounts counts(List<Measurement> measurements, List<Observation> observations) {
        long answered = 0;
        long timedOut = 0;
        for (Observation o : observations) {
            if (o.queryClass().equals(WayOfControl.HIGH)) {
                answered += o.measurable();
                timedOut += o.timedOut();
            }
        }
        StratumCounts counts = StratumCounts.NONE.plusCounted(answered, timedOut);
        for (Measurement m : measurements) {
            if (m.scores().isEmpty()) {
                continue;
            }
            Score score = m.scores().get(0);
            counts = m.degraded() ? counts.plusDegraded(score.low(), score.high()) : counts.plusClean();
        }
        return counts;
    }

    private static String measuredMetric(List<Measurement> measurements) {
        return measurements.stream()
                .filter(m -> !m.scores().isEmpty())
                .map(m -> m.scores().get(0).metric())
                .findFirst()
                .orElse("");
    }

    private static RunResult.Latency latency(LoadResult.Tally tally) {
        return new RunResult.Latency(tally.p50Millis(), tally.p99Millis(), tally.answered(), tally.failed());
    }

    private static List<RunResult.RunSecond> seconds(
            long from, long until, List<QualityWindow> windows, List<Observation> observations, LoadResult load) {
        Map<Integer, Estimate> quality = windows.stream()
                .collect(Collectors.toMap(
                        w -> (int) ((w.endMillis() - from) / 1000),
                        w -> w.estimate().get(),
                        (a, b) -> b));
        Map<Integer, Observation> low = observations.stream()
                .filter(o -> o.queryClass().equals(WayOfControl.LOW))
                .collect(Collectors.toMap(
                        o -> (int) ((o.secondMillis() - from) / 1000), Function.identity(), (a, b) -> b));
        List<RunResult.RunSecond> seconds = new ArrayList<>();
        for (LoadResult.LoadSecond second : load.seconds()) {
            int s = second.second();
            if (from + s * 1000L >= until) {
                break;
            }
            Estimate e = quality.get(s);
            Observation o = low.get(s);
            seconds.add(new RunResult.RunSecond(
                    s,
                    e == null ? Double.NaN : e.mean(),
                    e == null ? Double.NaN : e.low(),
                    e == null ? Double.NaN : e.high(),
                    second.low().offered(),
                    second.low().offered() - second.low().rejected(),
                    o == null ? Double.NaN : o.admittedFraction()));
        }
        return seconds;
    }
}
