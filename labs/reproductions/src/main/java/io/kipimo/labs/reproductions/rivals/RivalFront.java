package io.kipimo.labs.reproductions.rivals;

import io.kipimo.schemas.policy.ClassPolicy;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.simulator.control.OtherAdmission;
import io.kipimo.simulator.engine.Engine;
import io.kipimo.simulator.engine.RandomStream;
import io.kipimo.simulator.engine.Times;
import io.kipimo.simulator.scenario.Scenario;
import io.kipimo.simulator.service.Query;
import io.kipimo.simulator.service.QueueReading;
import io.kipimo.simulator.service.SimulatedService;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Runs a law at the front end of a simulated service. */
public final class RivalFront implements OtherAdmission {
    /** Part of the usual number of each class's offered queries that is forgotten with each window. */
    private static final double FORGOTTEN = 0.1;

    private final int[] priority;
    private final double[] usual;
    private final long[] offered;
    private RivalLaw law;
    private SimulatedService service;
    private long admitted;
    private long answered;
    private long degraded;
    private double latencySeconds;
    private long mostInFlight;
    private long lowerInFlight;

    /**
     * Makes a front end.
     *
     * @param law at the start
     */
    public RivalFront(RivalLaw law, Scenario scenario) {
        this.law = law;
        Policy policy = scenario.control().orElseThrow().policy();
        this.priority = scenario.service().classes().stream()
                .mapToInt(c ->
                        policy.classPolicy(c.name()).map(ClassPolicy::priority).orElseThrow())
                .toArray();
        this.usual = new double[priority.length];
        this.offered = new long[priority.length];
    }

    @Override
    public void start(Engine engine, SimulatedService model) {
        service = model;
        plan(engine);
    }

    private void plan(Engine engine) {
        engine.schedule(engine.nowNanos() + Times.nanos(law.windowSeconds()), n -> window(engine), 0);
    }

    private void window(Engine engine) {
        long all = 0;
        for (int c = 0; c < offered.length; c++) {
            all += offered[c];
            usual[c] += offered[c] - FORGOTTEN * usual[c];
        }
        List<QueueReading> queues = service.takeQueues();
        law = law.after(new RivalLaw.Signals(
                answered,
                answered == 0 ? 0 : latencySeconds / answered,
                mostInFlight,
                answered == 0 ? 0 : (double) degraded / answered,
                all,
                offered[0],
                admitted,
                most(queues, QueueReading::meanSeconds),
                most(queues, QueueReading::leastSeconds),
                queues.stream().mapToInt(QueueReading::waiting).average().orElse(0)));
        Arrays.fill(offered, 0);
        admitted = 0;
        answered = 0;
        degraded = 0;
        latencySeconds = 0;
        mostInFlight = 0;
        plan(engine);
    }

    private static double most(List<QueueReading> queues, ToDoubleFunction<QueueReading> figure) {
        return queues.stream().mapToDouble(figure).max().orElse(0);
    }

    @Override
    public boolean admits(Query query) {
        int c = query.classIndex();
        offered[c]++;
        if (c > 0 && !law.admits(new RivalLaw.Entry(level(query), service.inFlight(), lowerInFlight))) {
            return false;
        }
        admitted++;
        lowerInFlight += c > 0 ? 1 : 0;
        mostInFlight = Math.max(mostInFlight, service.inFlight() + 1);
        return true;
    }

    /**
     * A random level of a query within the range of its class. Classes of higher priority have the lower levels. The
     * range of a class is as large as its part of the offered queries.
     */
    private double level(Query query) {
        double above = 0;
        double alike = 0;
        double below = 0;
        for (int c = 1; c < usual.length; c++) {
            int order = Integer.compare(priority[c], priority[query.classIndex()]);
            above += order < 0 ? usual[c] : 0;
            alike += order == 0 ? usual[c] : 0;
            below += order > 0 ? usual[c] : 0;
        }
        double draw = (RandomStream.mix(query.seed(), "admission") >>> 11) * 0x1.0p-53;
        double all = above + alike + below;
        return all == 0 ? draw : (above + draw * alike) / all;
    }

    @Override
    public void answered(Query query) {
        answered++;
        degraded += query.isDegraded() ? 1 : 0;
        latencySeconds += Times.seconds(query.answeredNanos() - query.startedNanos());
        lowerInFlight -= query.classIndex() > 0 ? 1 : 0;
    }
}
