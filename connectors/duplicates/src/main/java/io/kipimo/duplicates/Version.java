package io.kipimo.duplicates;

/**
 * A value as one write left it.
 *
 * @param ticket of that write
 */
public record Version(long ticket, byte[] value) {}
