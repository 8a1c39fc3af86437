package io.kipimo.gateway.record;

/** Reason why a response is unreadable. */
public enum Unreadable {
    /** The body, compressed or decompressed, exceeds the limit of kept bodies. */
    TOO_LARGE,
    /** The content coding is not supported. */
    CODING,
    /** The response is not in the format of the reader, or is truncated. */
    FORM
}
