package io.kipimo.labs.reproductions;

/** One table or figure of a paper. */
public interface PaperExperiment {
    /** Name on the command line, such as {@code ubora-figure-11}. */
    String id();

    /** Title of the experiment. */
    String title();

    /** Runs the experiment; deterministic. */
    Reproduction run();

    /**
     * The same experiment with the product's part of it broken on purpose. Fewer of its figures must match the paper,
     * or else the experiment shows nothing.
     *
     * @throws UnsupportedOperationException if the experiment compares nothing with a paper
     */
    default PaperExperiment broken() {
        throw new UnsupportedOperationException(id() + " has figures of its own alone");
    }

    /**
     * The same experiment on the fewest traces that still tell it from its broken form; itself if it is quick enough.
     */
    default PaperExperiment brief() {
        return this;
    }
}
