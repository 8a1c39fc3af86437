package io.kipimo.gateway.record;

/** Why nothing was found in a response. */
public enum Unreadable {
    /** Its body, as it came or unpacked, is larger than what is kept. */
    TOO_LARGE,
    /** Its content coding is not supported. */
    CODING,
    /** It is not in the format of the reader, or is truncated. */
    FORM
}
