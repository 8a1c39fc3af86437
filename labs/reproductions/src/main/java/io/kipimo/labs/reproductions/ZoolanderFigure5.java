package io.kipimo.labs.reproductions;

import io.kipimo.core.replication.ServiceTimes;
import io.kipimo.simulator.report.LinePlot;
import io.kipimo.simulator.report.Phrase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Compares replication for throughput with replication for predictability (Zoolander, sec. 4.4, fig. 5): eight servers
 * serve as eight replicas or as eight duplicates, over the load. The paper plots only the model; here the simulated
 * service level is beside it.
 */
final class ZoolanderFigure5 implements Experiment {
    private static final double TAU_MILLIS = DuplicateRun.TAU_MILLIS;
    private static final int SERVERS = 8;
    private static final int ACCESSES = 60_000;

    /** Utilisations that one server would have if it got all of the load. */
    private static final double[] UTILISATIONS = {0.005, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3};

    private record ReplicationPoint(
            double modelReplicas, double modelDuplicates, double simulatedReplicas, double simulatedDuplicates) {}

    @Override
    public Reproduction run() {
        double[] writes = DuplicateRun.writes();
        ServiceTimes times = DuplicateRun.times(writes);
        List<ReplicationPoint> points = IntStream.range(0, UTILISATIONS.length)
                .parallel()
                .mapToObj(u -> point(writes, times, u))
                .toList();
        List<Finding> findings = new ArrayList<>();
        ReplicationPoint light = points.get(0);
        findings.add(Finding.compared(
                "light load, 8 duplicates: service level",
                "several nines",
                text(light.modelDuplicates(), light.simulatedDuplicates()),
                light.modelDuplicates() >= 0.999
                        && Math.abs(light.modelDuplicates() - light.simulatedDuplicates()) < 0.002,
                "queueing at 0.5 % already prevents it"));
        findings.add(Finding.compared(
                "light load, 8 replicas: not above one server's 90 %",
                "0.9",
                text(light.modelReplicas(), light.simulatedReplicas()),
                Math.abs(light.modelReplicas() - 0.9) < 0.01,
                "service times differ"));
        ReplicationPoint at15 = points.get(4);
        findings.add(Finding.compared(
                "load of 15 % of a server, 8 replicas: queueing is mitigated",
                "as at 2 %",
                text(at15.modelReplicas(), at15.simulatedReplicas()),
                Math.abs(at15.modelReplicas() - points.get(1).modelReplicas()) < 0.02,
                "replicas still queue"));
        ReplicationPoint most = points.get(points.size() - 1);
        findings.add(Finding.compared(
                "moderate load (30 %), 8 duplicates: the model falls below 8 replicas",
                "yes",
                text(most.modelDuplicates(), most.simulatedDuplicates()),
                most.modelDuplicates() < most.modelReplicas(),
                "our service times vary less than the paper's; the mean wait is well below the bound"));
        for (int u = 0; u < UTILISATIONS.length; u++) {
            ReplicationPoint p = points.get(u);
            findings.add(Finding.alone(
                    Phrase.of("load %.1f %%: 8 replicas; 8 duplicates (model/simulated)", 100 * UTILISATIONS[u]),
                    text(p.modelReplicas(), p.simulatedReplicas())
                            + "; "
                            + text(p.modelDuplicates(), p.simulatedDuplicates()),
                    p.modelDuplicates() < p.simulatedDuplicates() - 0.01
                            ? "the model is too pessimistic: most accesses do not wait"
                            : ""));
        }
        LinePlot plot = new LinePlot("Service level at 5 ms, 8 servers", "load of one server");
        plot.line("replicas, model", UTILISATIONS, values(points, 0));
        plot.line("duplicates, model", UTILISATIONS, values(points, 1));
        plot.line("replicas, simulated", UTILISATIONS, values(points, 2));
        plot.line("duplicates, simulated", UTILISATIONS, values(points, 3));
        return new Reproduction(
                "Service times as in zoolander-figure-8, bound 5 ms, the 90th percentile of one server's.",
                findings,
                plot);
    }

    private static ReplicationPoint point(double[] writes, ServiceTimes times, int u) {
        double rate = UTILISATIONS[u] / times.meanMillis() * 1e3;
        return new ReplicationPoint(
                DuplicateRun.formula(times, TAU_MILLIS, 1, rate / SERVERS),
                DuplicateRun.formula(times, TAU_MILLIS, SERVERS, rate),
                level(writes, 1, rate / SERVERS, 50L + u),
                level(writes, SERVERS, rate, 60L + u));
    }

    private static double level(double[] writes, int duplicates, double perSecond, long seed) {
        return DuplicateRun.level(
                DuplicateRun.simulated(writes, duplicates, DuplicateRun.poisson(perSecond), ACCESSES / perSecond, seed),
                TAU_MILLIS);
    }

    private static String text(double model, double simulated) {
        return Phrase.of("%.4f/%.4f", model, simulated);
    }

    private static double[] values(List<ReplicationPoint> points, int which) {
        return points.stream()
                .mapToDouble(p -> switch (which) {
                    case 0 -> p.modelReplicas();
                    case 1 -> p.modelDuplicates();
                    case 2 -> p.simulatedReplicas();
                    default -> p.simulatedDuplicates();
                })
                .toArray();
    }
}
