package io.kipimo.labs.social.validation;

/** Verdict on a read. */
enum ReadVerdict {
    /** The store may have had the returned content at one time during the read. */
    VALID,
    /** The store had the returned content before the read, but not during it. */
    STALE,
    /** Each part was correct at some time, but not all parts at the same time. */
    INCONSISTENT,
    /** Some part was never correct within the retained history. */
    WRONG
}
