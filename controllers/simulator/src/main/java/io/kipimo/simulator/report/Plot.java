package io.kipimo.simulator.report;

/** A drawing of a fixed width. */
public interface Plot {
    int WIDTH = 860;

    /** The element {@code svg}, whose style is the page's. */
    String svg();

    int height();
}
