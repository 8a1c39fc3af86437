package io.kipimo.schemas.quality;

/** Purpose of a window of measurements. */
public enum WindowKind {
    /** Sliding window for averages; ends every slide. */
    SLIDING,
    /** One control step: ends after N queries or T seconds, whichever comes first. */
    BATCH
}
