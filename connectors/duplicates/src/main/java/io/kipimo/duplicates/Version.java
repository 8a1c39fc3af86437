package io.kipimo.duplicates;

/**
 * A value as set by one write.
 *
 * @param ticket of that write
 */
public record Version(long ticket, byte[] value) {}
