package io.kipimo.duplicates;

/**
 * A value and the write that set it.
 *
 * @param ticket ticket of the write
 */
public record Version(long ticket, byte[] value) {}
