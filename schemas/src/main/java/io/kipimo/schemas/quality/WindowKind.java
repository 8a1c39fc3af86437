package io.kipimo.schemas.quality;

/** What a window of measurements is for. */
public enum WindowKind {
    /** Averages; ends every slide. */
    SLIDING,
    /** One control step: N queries or T seconds, whichever came first. */
    BATCH
}
