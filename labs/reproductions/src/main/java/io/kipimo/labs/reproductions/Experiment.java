package io.kipimo.labs.reproductions;

/** How a table or figure of a paper is made again. */
public interface Experiment {
    /** Runs the experiment; deterministic. */
    Reproduction run();
}
