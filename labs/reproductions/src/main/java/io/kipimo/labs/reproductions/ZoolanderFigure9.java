package io.kipimo.labs.reproductions;

import io.kipimo.core.replication.duplicates.Mix;
import io.kipimo.core.replication.duplicates.Plan;
import io.kipimo.core.replication.duplicates.ServiceTimes;
import io.kipimo.core.replication.duplicates.Zoolander;
import io.kipimo.simulator.report.LinePlot;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.DoubleStream;

/**
 * Management by the model (Zoolander, sec. 6, fig. 9): the best use of four servers, and the
 * servers that a service level needs as the load grows, with replicas alone and with the product's
 * plan. Each plan is then simulated to verify its service level.
 */
final class ZoolanderFigure9 implements PaperExperiment {
    private static final int ACCESSES = 150_000;
    private static final double OLIO_UTILISATION = 0.08;
    private static final double[] BOUNDS_MILLIS = {3, 5, 8, 12, 20};
    private static final int[] DUPLICATES_OF_FOUR = {1, 2, 4};

    private static final double LEVEL = 0.99;
    private static final double TAU_MILLIS = 10;
    private static final int MOST_SERVERS = 60;
    private static final double[] RATES = {75, 150, 300, 450, 600};

    @Override
    public String id() {
        return "zoolander-figure-9";
    }

    @Override
    public String title() {
        return "Service levels and servers by the model (Zoolander, figure 9)";
    }

    @Override
    public Reproduction run() {
        List<Finding> findings = new ArrayList<>();
        LinePlot levels = fourServers(findings);
        LinePlot servers = servers(findings);
        return new Reproduction(
                id(),
                title(),
                "9a: reads and writes as in zoolander-figure-8 at 8 % utilisation, Poisson arrivals."
                        + " 9b, batched arrivals of Gridlab-D, is not modelled. 9c: 99 % within 10 ms;"
                        + " four reads, a tenth as long, to three writes; the paper's distribution of"
                        + " Gridlab-D's accesses is not given.",
                findings,
                List.of(),
                List.of(levels, servers));
    }

    private static LinePlot fourServers(List<Finding> findings) {
        double[] writes = DuplicateRun.writes();
        ServiceTimes times = DuplicateRun.times(writes);
        double rate = 4 * OLIO_UTILISATION / times.meanMillis() * 1e3;
        LinePlot plot = new LinePlot("Share late, four servers at 8 %", "bound, ms");
        double[][] late = new double[DUPLICATES_OF_FOUR.length][BOUNDS_MILLIS.length];
        for (int i = 0; i < DUPLICATES_OF_FOUR.length; i++) {
            int duplicates = DUPLICATES_OF_FOUR[i];
            double perGroup = rate / (4.0 / duplicates);
            double[] latencies =
                    DuplicateRun.simulated(
                            writes,
                            duplicates,
                            DuplicateRun.poisson(perGroup),
                            ACCESSES / perGroup,
                            90L + duplicates);
            StringBuilder ours = new StringBuilder();
            for (int b = 0; b < BOUNDS_MILLIS.length; b++) {
                double simulated = DuplicateRun.level(latencies, BOUNDS_MILLIS[b]);
                late[i][b] = 1 - simulated;
                ours.append(
                        String.format(
                                Locale.ROOT,
                                "%s%.4f/%.4f",
                                b == 0 ? "" : "; ",
                                DuplicateRun.predicted(
                                        times, BOUNDS_MILLIS[b], duplicates, perGroup),
                                simulated));
            }
            findings.add(
                    Finding.alone(
                            4 / duplicates
                                    + " replicas x "
                                    + duplicates
                                    + ", model/simulated at 3; 5; 8; 12; 20 ms (9a)",
                            ours.toString(),
                            ""));
            plot.line(4 / duplicates + " x " + duplicates, BOUNDS_MILLIS, late[i]);
        }
        int last = BOUNDS_MILLIS.length - 1;
        findings.add(
                Finding.compared(
                        "duplicates reach far stronger levels than replicas alone (9a)",
                        "yes",
                        String.format(
                                Locale.ROOT,
                                "late at 20 ms: %.5f with 4 x 1, %.5f with 2 x 2, %.5f with 1 x 4",
                                late[0][last],
                                late[1][last],
                                late[2][last]),
                        late[1][last] < late[0][last] / 3,
                        "all duplicates queue behind the same long accesses"));
        return plot;
    }

    private static LinePlot servers(List<Finding> findings) {
        double[] accesses = DuplicateRun.readsAndWrites();
        ServiceTimes times = DuplicateRun.times(accesses);
        double[] alone = new double[RATES.length];
        double[] mixed = new double[RATES.length];
        for (int i = 0; i < RATES.length; i++) {
            double rate = RATES[i];
            Optional<Mix> replicas = replicasAlone(times, rate);
            Mix plan =
                    Plan.cheapest(times, TAU_MILLIS, LEVEL, rate, 0, MOST_SERVERS)
                            .chosen()
                            .orElseThrow();
            alone[i] = replicas.map(Mix::servers).orElse(MOST_SERVERS);
            mixed[i] = plan.servers();
            findings.add(
                    Finding.alone(
                            String.format(Locale.ROOT, "%.0f accesses/s: servers (9c)", rate),
                            replicas.map(m -> m.servers() + " replicas")
                                            .orElse("more than " + MOST_SERVERS + " replicas")
                                    + "; "
                                    + plan.replicas()
                                    + " x "
                                    + plan.duplicates()
                                    + String.format(
                                            Locale.ROOT,
                                            " planned, which gives %.4f",
                                            simulated(accesses, plan, rate)),
                            ""));
        }
        boolean reached = DoubleStream.of(alone).max().orElseThrow() < MOST_SERVERS;
        double perReplica = DoubleStream.of(RATES).sum() / DoubleStream.of(alone).sum();
        double perPlanned = DoubleStream.of(RATES).sum() / DoubleStream.of(mixed).sum();
        findings.add(
                Finding.compared(
                        "accesses/s a server: replicas alone; planned (9c)",
                        "75; 150",
                        (reached ? String.format(Locale.ROOT, "%.0f", perReplica) : "never")
                                + String.format(Locale.ROOT, "; %.0f", perPlanned),
                        reached && perPlanned / perReplica > 1.5 && perPlanned / perReplica < 3,
                        "1.2 % of these accesses take more than 10 ms by themselves, so replicas"
                                + " alone never reach the level"));
        return new LinePlot("Servers for 99 % within 10 ms", "accesses/s")
                .line("replicas alone", RATES, alone)
                .line("planned", RATES, mixed);
    }

    private static Optional<Mix> replicasAlone(ServiceTimes times, double rate) {
        for (int replicas = 1; replicas <= MOST_SERVERS; replicas++) {
            Mix mix = Zoolander.mix(times, TAU_MILLIS, replicas, 1, rate, 0);
            if (mix.serviceLevel() >= LEVEL) {
                return Optional.of(mix);
            }
        }
        return Optional.empty();
    }

    private static double simulated(double[] accesses, Mix plan, double rate) {
        double perGroup = rate / plan.replicas();
        return DuplicateRun.level(
                DuplicateRun.simulated(
                        accesses,
                        plan.duplicates(),
                        DuplicateRun.poisson(perGroup),
                        ACCESSES / perGroup,
                        95),
                TAU_MILLIS);
    }
}
