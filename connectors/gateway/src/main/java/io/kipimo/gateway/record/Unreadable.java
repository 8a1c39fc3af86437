package io.kipimo.gateway.record;

/** Why a response is unreadable. */
public enum Unreadable {
    /** Its body, compressed or decompressed, exceeds the limit of kept bodies. */
    TOO_LARGE,
    /** Its content coding is not supported. */
    CODING,
    /** It is not in the format of the reader, or is truncated. */
    FORM
}
