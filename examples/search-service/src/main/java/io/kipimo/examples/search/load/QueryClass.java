package io.kipimo.examples.search.load;

/** Priority classes of the load. */
public enum QueryClass {
    /** The class whose answers are to stay good; comes at a fixed rate. */
    HIGH,
    /** The class that may use what is left; comes and goes as the day does. */
    LOW
}
