package io.kipimo.labs.reproductions;

/**
 * An experiment for one table or figure of a paper.
 *
 * @param id name on the command line, such as {@code ubora-figure-11}
 */
public record PaperExperiment(String id, String title, Experiment experiment) {}
