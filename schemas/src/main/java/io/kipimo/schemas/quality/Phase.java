package io.kipimo.schemas.quality;

/** When a partial result arrived (Ubora, sec. 3). */
public enum Phase {
    /** Before the deadline: it is part of the online answer. */
    ONLINE,
    /** After the deadline: it is part of the mature answer only. */
    MATURE
}
