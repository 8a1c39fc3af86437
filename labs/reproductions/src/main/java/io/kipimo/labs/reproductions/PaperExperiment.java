package io.kipimo.labs.reproductions;

/** One table or figure of a paper. */
public interface PaperExperiment {
    /** As on the command line, such as {@code ubora-figure-11}. */
    String id();

    /** What it shows. */
    String title();

    /** Runs it; the same every time. */
    Reproduction run();
}
