package io.kipimo.loadgen.rating;

import com.sun.management.OperatingSystemMXBean;
import io.kipimo.core.rating.course.RatingProtocol;
import io.kipimo.core.rating.delta.DeltaAnalyzer;
import io.kipimo.core.rating.delta.DeltaSettings;
import io.kipimo.core.rating.delta.DeltaStep;
import io.kipimo.core.rating.delta.Probe;
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
import java.util.function.Consumer;

/**
 * Finds the length that experiments need, for a target on this machine. The resource is the
 * machine's processors, the generator's share included. For a remote target they stay idle, so the
 * analysis ends at the first load that does not raise their utilisation.
 */
public final class DeltaAnalysis {
    private DeltaAnalysis() {}

    /**
     * Probes {@code target} until its figures no longer change.
     *
     * @param listener gets each probe
     */
    public static DeltaStep.Done run(
            RatingRequest request, Target target, DeltaSettings settings, Consumer<Probe> listener)
            throws InterruptedException {
        List<Probe> log = new ArrayList<>();
        DeltaStep step = DeltaAnalyzer.next(settings, log);
        while (step instanceof DeltaStep.Run run) {
            Probe probe = probe(request, target, run, log.size());
            log.add(probe);
            listener.accept(probe);
            step = DeltaAnalyzer.next(settings, log);
        }
        return (DeltaStep.Done) step;
    }

    private static Probe probe(RatingRequest request, Target target, DeltaStep.Run run, int number)
            throws InterruptedException {
        ExperimentTerms terms = request.experiments();
        target.prepare();
        try (Workload workload = target.open(Share.WHOLE);
                LoadRun load =
                        LoadRun.start(
                                workload,
                                new RunSettings(
                                        LocalRating.load(
                                                terms.model(),
                                                RatingProtocol.amount(terms, run.load()),
                                                terms.thinkMillis()),
                                        Share.WHOLE,
                                        terms.warmUpMillis(),
                                        run.millis(),
                                        request.agreement().boundMicros(),
                                        terms.seed() + number))) {
            double before = cpuLoad();
            LoadMeasurement measured = load.result().get();
            double utilisation = cpuLoad();
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
    private static double cpuLoad() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean os
                ? os.getCpuLoad()
                : -1;
    }
}
