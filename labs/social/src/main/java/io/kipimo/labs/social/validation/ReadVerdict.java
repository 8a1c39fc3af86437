package io.kipimo.labs.social.validation;

/** Verdict on a read. */
public enum ReadVerdict {
    /** It saw what the store may have held at one time during the read. */
    VALID,
    /** It saw what the store held before the read, but no longer during it. */
    STALE,
    /** Each part was right at some time, but not all at the same. */
    INCONSISTENT,
    /** Some part was never right, within the retained history. */
    WRONG
}
