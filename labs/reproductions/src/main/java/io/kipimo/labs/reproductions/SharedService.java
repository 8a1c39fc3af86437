package io.kipimo.labs.reproductions;

import io.kipimo.simulator.control.ControlSpec;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.scenario.ScenarioController;
import io.kipimo.simulator.scenario.Simulation;
import io.kipimo.simulator.scenario.SimulationResult;
import io.kipimo.simulator.service.ServiceSpec;
import io.kipimo.simulator.workload.Arrivals;
import io.kipimo.simulator.workload.ClassArrivals;
import io.kipimo.simulator.workload.QueryKind;
import io.kipimo.simulator.workload.RateCurve;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

/** A service shared by two classes, under different controllers. */
final class SharedService {
    /** Traces on which set points are tuned. Results come from other traces. */
    private static final long[] TUNING = {11, 12};

    /**
     * Factor on the gains of control by time-outs. The share of queries with a time-out changes about four times as
     * much as quality, so its controller has a quarter of the gains. Both pairs of gains were fixed before the measured
     * runs.
     */
    private static final double GAIN_OF_TIME_OUTS = 0.25;

    /** Time over which a peak is averaged, as long as the averaging windows. */
    private static final double PEAK_SECONDS = 600;

    private SharedService() {}

    static Scenario under(Scenario scenario, ScenarioController controller) {
        return scenario.withControl(controller.in(scenario.control().orElseThrow()));
    }

    /**
     * The service controlled by time-outs.
     *
     * @param setPoint share of queries with a time-out, 0..1
     */
    static Scenario underTimeOuts(Scenario scenario, double setPoint) {
        ControlSpec control = ScenarioController.TIME_OUTS.in(scenario.control().orElseThrow());
        return scenario.withControl(
                control.withPolicy(PolicyVariants.withTimeOuts(control.policy(), setPoint, GAIN_OF_TIME_OUTS)));
    }

    static Scenario withKinds(Scenario base, UnaryOperator<QueryKind> change) {
        ServiceSpec service = base.service();
        return base.withService(
                service.withKinds(service.kinds().stream().map(change).toList()));
    }

    /** Changes the rate of the low class, which is the second. */
    static Scenario withLowRate(Scenario base, UnaryOperator<RateCurve> change) {
        ServiceSpec service = base.service();
        List<ClassArrivals> classes = new ArrayList<>(service.classes());
        ClassArrivals low = classes.get(1);
        RateCurve rate = change.apply(((Arrivals.Poisson) low.arrivals()).rate());
        classes.set(1, new ClassArrivals(low.name(), new Arrivals.Poisson(rate), low.mix()));
        return base.withService(service.withClasses(classes));
    }

    /** One run for each seed. Runs are independent and may run in parallel. */
    static List<SimulationResult> run(Scenario scenario, long... seeds) {
        return LongStream.of(seeds)
                .parallel()
                .mapToObj(seed -> Simulation.run(scenario.withSeed(seed)))
                .toList();
    }

    /** The set point of control by time-outs at which mean quality equals that of control by quality. */
    static double equalQuality(Scenario scenario, int bisections) {
        double wanted = average(run(under(scenario, ScenarioController.QUALITY), TUNING), SharedService::highQuality);
        return largest(scenario, bisections, results -> average(results, SharedService::highQuality) > wanted);
    }

    /**
     * The set point of control by time-outs at which as large a share of windows reaches the threshold as under control
     * by quality.
     */
    static double equalWindows(Scenario scenario, int bisections) {
        double wanted =
                average(run(under(scenario, ScenarioController.QUALITY), TUNING), SharedService::shareAtThreshold);
        return largest(scenario, bisections, results -> average(results, SharedService::shareAtThreshold) >= wanted);
    }

    private static double largest(Scenario scenario, int bisections, Predicate<List<SimulationResult>> isGood) {
        double low = 0;
        double high = 1;
        for (int i = 0; i < bisections; i++) {
            double middle = (low + high) / 2;
            if (isGood.test(run(underTimeOuts(scenario, middle), TUNING))) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return (low + high) / 2;
    }

    static double average(List<SimulationResult> results, ToDoubleFunction<SimulationResult> figure) {
        return results.stream().mapToDouble(figure).average().orElseThrow();
    }

    static double highQuality(SimulationResult result) {
        return result.classTotal("high").quality();
    }

    static double lowAdmitted(SimulationResult result) {
        return result.classTotal("low").admittedShare();
    }

    /** Highest rate of admitted low-class queries over any ten minutes, per second. */
    static double lowPeak(SimulationResult result) {
        List<SimulationResult.Slot> slots = result.slots();
        double slotSeconds = slots.get(1).startSeconds() - slots.get(0).startSeconds();
        int together = (int) Math.max(1, Math.round(PEAK_SECONDS / slotSeconds));
        long sum = 0;
        long most = 0;
        for (int i = 0; i < slots.size(); i++) {
            sum += low(slots.get(i)) - (i < together ? 0 : low(slots.get(i - together)));
            most = Math.max(most, sum);
        }
        return most / (together * slotSeconds);
    }

    private static long low(SimulationResult.Slot slot) {
        return slot.classes().get(1).admitted();
    }

    static double worstWindow(SimulationResult result) {
        return result.control().orElseThrow().quality().worstWindow();
    }

    static double shareAtThreshold(SimulationResult result) {
        return result.control().orElseThrow().quality().shareAtThreshold();
    }
}
