package io.kipimo.examples.search.load;

/** Priority classes of the load. */
public enum QueryClass {
    /** The protected class; its rate is constant. */
    HIGH,
    /** The class that may use the remaining capacity; its rate rises and falls like that of a day. */
    LOW
}
