package io.kipimo.loadgen.rating;

import com.sun.management.OperatingSystemMXBean;
import io.kipimo.core.rating.DeltaAnalyzer;
import io.kipimo.core.rating.DeltaStep;
import io.kipimo.core.rating.Probe;
import io.kipimo.core.rating.RatingProtocol;
import io.kipimo.loadgen.generator.LoadMeasurement;
import io.kipimo.loadgen.generator.LoadRun;
import io.kipimo.loadgen.generator.RunSettings;
import io.kipimo.loadgen.workload.Share;
import io.kipimo.loadgen.workload.Target;
import io.kipimo.loadgen.workload.Workload;
import io.kipimo.schemas.rating.ExperimentTerms;
import io.kipimo.schemas.rating.RatingRequest;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/**
 * Finds the length that experiments need. By default the resource that is watched is this machine's processors, with
 * the generator's share. A remote target leaves them idle. Then the analysis needs a source of that target's
 * utilisation; without one it ends at the first load that does not raise the utilisation here.
 */
public final class DeltaAnalysis {
    private DeltaAnalysis() {}

    /**
     * Probes {@code target} until its figures no longer change.
     *
     * @param utilisation of the busiest resource since the previous call, 0..1; negative: unknown
     * @param listener gets each probe
     */
    public static DeltaStep.DeltaEnd run(
            RatingRequest request,
            Target target,
            DeltaAnalyzer.Probes settings,
            DoubleSupplier utilisation,
            Consumer<Probe> listener)
            throws InterruptedException {
        List<Probe> log = new ArrayList<>();
        DeltaStep step = DeltaAnalyzer.next(settings, log);
        while (step instanceof DeltaStep.DeltaRun run) {
            Probe probe = probe(request, target, run, log.size(), utilisation);
            log.add(probe);
            listener.accept(probe);
            step = DeltaAnalyzer.next(settings, log);
        }
        return (DeltaStep.DeltaEnd) step;
    }

    private static Probe probe(
            RatingRequest request, Target target, DeltaStep.DeltaRun run, int number, DoubleSupplier source)
            throws InterruptedException {
        ExperimentTerms terms = request.experiments();
        target.prepare();
        try (Workload workload = target.open(Share.WHOLE);
                LoadRun load = LoadRun.start(
                        workload,
                        new RunSettings(
                                LocalRating.load(
                                        terms.model(), RatingProtocol.amount(terms, run.load()), terms.thinkMillis()),
                                Share.WHOLE,
                                terms.warmUpMillis(),
                                run.millis(),
                                request.agreement().boundMicros(),
                                terms.seed() + number))) {
            double before = source.getAsDouble();
            for (long left = load.remainingMillis(); left > 0; left = load.remainingMillis()) {
                TimeUnit.MILLISECONDS.sleep(left);
            }
            double utilisation = source.getAsDouble();
            LoadMeasurement measured = load.result().get();
            return new Probe(
                    run.load(),
                    run.millis(),
                    measured.counts().answered() * 1e3 / Math.max(1, measured.measuredMillis()),
                    utilisation >= 0 ? Math.min(1, utilisation) : Math.max(0, before),
                    0);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a probe broke off: " + e.getCause(), e);
        }
    }

    /** Utilisation of the machine since the last call, 0..1; negative if unknown. */
    public static double ofThisMachine() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os ? os.getCpuLoad() : -1;
    }
}
