package io.kipimo.labs.reproductions;

/** One table or figure of a paper. */
public interface PaperExperiment {
    /** Name on the command line, such as {@code ubora-figure-11}. */
    String id();

    /** Title of the experiment. */
    String title();

    /** Runs the experiment; deterministic. */
    Reproduction run();
}
