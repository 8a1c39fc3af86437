package io.kipimo.simulator.report;

/** A drawing of a fixed width. */
public interface Plot {
    int WIDTH = 860;

    /** The element {@code svg}; it takes its style from the page. */
    String svg();

    int height();
}
