package io.kipimo.labs.reproductions;

import io.kipimo.schemas.quality.Estimate;
import io.kipimo.simulator.control.ControlSpec;
import io.kipimo.simulator.scenario.BuiltIn;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.ScenarioController;
import io.kipimo.simulator.scenario.SimulationResult;
import io.kipimo.simulator.scenario.SimulationResult.JudgedBatch;
import io.kipimo.simulator.service.ServiceSpec;
import io.kipimo.simulator.workload.Arrivals;
import io.kipimo.simulator.workload.ClassArrivals;
import io.kipimo.simulator.workload.QueryKindMix;
import io.kipimo.simulator.workload.RateCurve;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares the estimators on the traffic of scenario ubora without control, at constant load. Their figures are the
 * errors of the estimates of control batches against the true quality of all queries. They learn from 300 batches, and
 * are judged on the next 80. In the middle of these the mix turns heavier.
 */
final class EstimatorComparison {
    /** Load of the low class, from which the high class suffers. */
    enum LowLoad {
        MILD(1.5),
        HEAVY(5.5);

        private final double lowPerSecond;

        LowLoad(double lowPerSecond) {
            this.lowPerSecond = lowPerSecond;
        }
    }

    /**
     * Errors of one estimator.
     *
     * @param rootMeanSquare of the errors
     * @param biasAfterChange mean error of the 20 batches after the change of the mix
     * @param coverage share of the batches whose interval holds the truth
     * @param halfWidth mean half width of the intervals
     * @param quality mean true quality
     */
    record EstimatorErrors(
            double rootMeanSquare, double biasAfterChange, double coverage, double halfWidth, double quality) {}

    private static final double BATCH_SECONDS = 100;
    private static final double LEARNING_SECONDS = 300 * BATCH_SECONDS;
    private static final double CHANGE_SECONDS = LEARNING_SECONDS + 40 * BATCH_SECONDS;
    private static final double END_SECONDS = LEARNING_SECONDS + 80 * BATCH_SECONDS;
    private static final double AFTER_CHANGE_SECONDS = 20 * BATCH_SECONDS;

    private EstimatorComparison() {}

    static EstimatorErrors run(LowLoad load, double rate, ControlSpec.ControlEstimator estimator, long... seeds) {
        List<JudgedBatch> judged = new ArrayList<>();
        for (SimulationResult result : SharedService.run(scenario(load, rate, estimator), seeds)) {
            result.control().orElseThrow().batches().judged().stream()
                    .filter(batch -> batch.startSeconds() >= LEARNING_SECONDS)
                    .forEach(judged::add);
        }
        return new EstimatorErrors(
                Math.sqrt(judged.stream()
                        .mapToDouble(batch -> error(batch) * error(batch))
                        .average()
                        .orElseThrow()),
                judged.stream()
                        .filter(EstimatorComparison::isAfterChange)
                        .mapToDouble(EstimatorComparison::error)
                        .average()
                        .orElseThrow(),
                judged.stream().mapToDouble(b -> covers(b) ? 1 : 0).average().orElseThrow(),
                judged.stream()
                        .mapToDouble(b -> b.estimate().halfWidth())
                        .average()
                        .orElseThrow(),
                judged.stream().mapToDouble(JudgedBatch::truth).average().orElseThrow());
    }

    private static Scenario scenario(LowLoad load, double rate, ControlSpec.ControlEstimator estimator) {
        Scenario ubora = BuiltIn.scenario("ubora");
        QueryKindMix mix = new QueryKindMix(List.of(
                new QueryKindMix.KindPhase(0, new double[] {0.8, 0.2}),
                new QueryKindMix.KindPhase(CHANGE_SECONDS, new double[] {0.4, 0.6})));
        ServiceSpec service =
                ubora.service().withClasses(List.of(poisson("high", 1, mix), poisson("low", load.lowPerSecond, mix)));
        ControlSpec control = ScenarioController.FULL_SHARING.in(ubora.control().orElseThrow());
        return ubora.withService(service)
                .withSeconds(END_SECONDS)
                .withControl(control.withPolicy(PolicyVariants.withSampling(control.policy(), rate, 3))
                        .withEstimator(estimator));
    }

    private static ClassArrivals poisson(String name, double perSecond, QueryKindMix mix) {
        return new ClassArrivals(name, new Arrivals.Poisson(new RateCurve.ConstantRate(perSecond)), mix);
    }

    private static boolean isAfterChange(JudgedBatch batch) {
        return batch.startSeconds() >= CHANGE_SECONDS && batch.startSeconds() < CHANGE_SECONDS + AFTER_CHANGE_SECONDS;
    }

    private static double error(JudgedBatch batch) {
        return batch.estimate().mean() - batch.truth();
    }

    private static boolean covers(JudgedBatch batch) {
        Estimate e = batch.estimate();
        return e.low() <= batch.truth() + 1e-9 && batch.truth() <= e.high() + 1e-9;
    }
}
