package io.kipimo.schemas.quality;

/** Arrival of a partial result, before or after the deadline (Ubora, sec. 3). */
public enum Phase {
    /** Before the deadline: it is part of the online answer. */
    ONLINE,
    /** After the deadline: it is part of the mature answer only. */
    MATURE
}
