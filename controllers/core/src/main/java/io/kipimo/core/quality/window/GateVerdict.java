package io.kipimo.core.quality.window;

/** Verdict of the gate. */
public enum GateVerdict {
    /** The quality is kept, with 95 % confidence. */
    PASS,
    /** The quality is not kept, with 95 % confidence. */
    FAIL,
    /** Too few measurements for a verdict; neither a pass nor a failure. */
    NOT_ENOUGH
}
