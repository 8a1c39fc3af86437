package io.kipimo.labs.social.validation;

/** What a read was worth. */
public enum ReadVerdict {
    /** It saw what the store may have held at one moment of the read. */
    VALID,
    /** It saw what the store held before the read began, and no longer then. */
    STALE,
    /** Each part of what it saw was right at some time, not all at one. */
    INCONSISTENT,
    /** Part of what it saw was never right, as far back as is known. */
    WRONG
}
