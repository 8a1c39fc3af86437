package io.kipimo.labs.reproductions;

/** How a table or figure of a paper is made again. */
public interface Experiment {
    /** Runs the experiment; deterministic. */
    Reproduction run();

    /**
     * The same experiment with the product's part of it broken on purpose. Fewer of its figures must match the paper,
     * or else the experiment shows nothing.
     *
     * @throws UnsupportedOperationException if the experiment compares nothing with a paper
     */
    default Experiment broken() {
        throw new UnsupportedOperationException("the experiment has figures of its own alone");
    }

    /**
     * The same experiment on the fewest traces that still tell it from its broken form; itself if it is quick enough.
     */
    default Experiment brief() {
        return this;
    }
}
