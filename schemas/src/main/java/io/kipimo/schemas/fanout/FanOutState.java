package io.kipimo.schemas.fanout;

/** What front ends do with a publication. */
public enum FanOutState {
    /** They ask the components that the model chooses. */
    ON,
    /** They ask all components, and tell which ones the model would have chosen. */
    SHADOW,
    /** They ask all components. */
    OFF
}
