package io.kipimo.schemas.fanout;

/** Tells front ends how to use a publication. */
public enum FanOutState {
    /** Front ends ask the components that the model chooses. */
    ON,
    /** Front ends ask all components, and tell which ones the model would have chosen. */
    SHADOW,
    /** Front ends ask all components. */
    OFF
}
