package io.kipimo.labs.reproductions;

/** Reproduces a table or figure of a paper. */
public interface Experiment {
    /** Runs the experiment. Every run has the same result. */
    Reproduction run();
}
