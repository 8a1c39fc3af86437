package io.kipimo.simulator.report;

/** A drawing of a fixed width. */
public interface Plot {
    int WIDTH = 860;

    /** Returns the plot as an element {@code svg}, which takes its style from the page. */
    String svg();

    int height();
}
