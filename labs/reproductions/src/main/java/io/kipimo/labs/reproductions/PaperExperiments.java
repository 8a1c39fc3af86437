package io.kipimo.labs.reproductions;

import java.util.List;

/** All experiments, in order of execution. */
public final class PaperExperiments {
    private static final List<PaperExperiment> ALL = List.of(
            new UboraFigure6(),
            new UboraFigure11(),
            new UboraMixes(),
            new UboraTable2(),
            new Shedding(),
            new AskingFewer(),
            new SpareFigure2(),
            new SpareFigure6(),
            new SpareFigure8(),
            new SpareEstimator(),
            new ZoolanderFigure5(),
            new ZoolanderFigure8(),
            new ZoolanderFigure9(),
            new QuaestorFigure8(),
            new QuaestorFigure8d(),
            new QuaestorTable1(),
            new QuaestorFigure9(),
            new QuaestorFigure10(),
            new QuaestorFigure11(),
            new RatingTable3());

    private PaperExperiments() {}

    public static List<PaperExperiment> all() {
        return ALL;
    }

    /**
     * The experiment of that id.
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
