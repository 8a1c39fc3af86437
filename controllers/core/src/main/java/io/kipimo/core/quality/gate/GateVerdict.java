package io.kipimo.core.quality.gate;

/** What a gate says. */
public enum GateVerdict {
    /** The quality is kept, with 95 % confidence. */
    PASS,
    /** It is not, with 95 % confidence. */
    FAIL,
    /** Too few measurements to tell; neither a pass nor a failure. */
    NOT_ENOUGH
}
