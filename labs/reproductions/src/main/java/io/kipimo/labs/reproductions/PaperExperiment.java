package io.kipimo.labs.reproductions;

/** One table or figure of a paper. */
public interface PaperExperiment {
    /** Id on the command line, such as {@code ubora-figure-11}. */
    String id();

    /** Title of what it shows. */
    String title();

    /** Runs it; deterministic. */
    Reproduction run();
}
