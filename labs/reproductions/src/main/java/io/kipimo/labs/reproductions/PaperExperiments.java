package io.kipimo.labs.reproductions;

import java.util.List;

/** All experiments, in order of execution. */
public final class PaperExperiments {
    private static final List<PaperExperiment> ALL = List.of(
            new PaperExperiment("ubora-figure-6", "Which late results are kept (Ubora, figure 6)", new UboraFigure6()),
            new PaperExperiment(
                    "ubora-figure-11", "Admission control by answer quality (Ubora, figure 11)", new UboraFigure11()),
            new PaperExperiment(
                    "ubora-mixes",
                    "One objective over many mixes (Ubora, section 8; figure 11 as a curve)",
                    new UboraMixes()),
            new PaperExperiment(
                    "ubora-table-2", "Control under low sampling rates (Ubora, table II)", new UboraTable2()),
            new PaperExperiment(
                    "shedding",
                    "Which queries to shed: uniform admission, costliest first, priority queues",
                    new Shedding()),
            new PaperExperiment(
                    "fanout",
                    "Asking fewer components: uniform admission, costliest first, trim, both",
                    new AskingFewer()),
            new PaperExperiment("rivals", "Other admission controls in the cases of control", new Rivals()),
            new PaperExperiment(
                    "spare-figure-2", "Pages replicated, data base not (sPARE, figure 2)", new SpareFigure2()),
            new PaperExperiment(
                    "spare-figure-6", "Latency by partial replication (sPARE, figure 6)", new SpareFigure6()),
            new PaperExperiment(
                    "spare-figure-8", "Web search by partial replication (sPARE, figure 8)", new SpareFigure8()),
            new PaperExperiment(
                    "spare-estimator",
                    "Capacity and tails from arrivals and departures (sPARE, section V-A)",
                    new SpareEstimator()),
            new PaperExperiment(
                    "zoolander-figure-5",
                    "Throughput traded for predictability (Zoolander, figure 5)",
                    new ZoolanderFigure5()),
            new PaperExperiment(
                    "zoolander-figure-8",
                    "Service level of duplicates, predicted and achieved (Zoolander, figure 8)",
                    new ZoolanderFigure8()),
            new PaperExperiment(
                    "zoolander-figure-9",
                    "Service levels and servers by prediction (Zoolander, figure 9)",
                    new ZoolanderFigure9()),
            new PaperExperiment(
                    "quaestor-figure-8",
                    "Throughput and latency of ways of caching (Quaestor, figures 8a, b, c and f)",
                    new QuaestorFigure8()),
            new PaperExperiment(
                    "quaestor-figure-8d",
                    "Latency by the number of queries (Quaestor, figures 8d and 8e)",
                    new QuaestorFigure8d()),
            new PaperExperiment(
                    "quaestor-table-1", "Latency by the number of records (Quaestor, table 1)", new QuaestorTable1()),
            new PaperExperiment(
                    "quaestor-figure-9",
                    "Client cache hits against update rate and filter refresh (Quaestor, figure 9)",
                    new QuaestorFigure9()),
            new PaperExperiment(
                    "quaestor-figure-10",
                    "Stale reads against the refresh interval (Quaestor, figure 10)",
                    new QuaestorFigure10()),
            new PaperExperiment(
                    "quaestor-figure-11",
                    "Estimated against true times to live (Quaestor, figure 11)",
                    new QuaestorFigure11()),
            new PaperExperiment(
                    "rating-table-3",
                    "Experiments and error of search techniques (Rating, figures 4 to 6 and table 3)",
                    new RatingTable3()));

    private PaperExperiments() {}

    public static List<PaperExperiment> all() {
        return ALL;
    }

    /**
     * The experiment with the given id.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static PaperExperiment of(String id) {
        return ALL.stream()
                .filter(e -> e.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("experiment is '"
                        + id
                        + "'; allowed: "
                        + String.join(
                                ", ", ALL.stream().map(PaperExperiment::id).toList())));
    }
}
