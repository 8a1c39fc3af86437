package io.kipimo.duplicates;

import java.util.Optional;

/**
 * State of a key.
 *
 * @param asOf ticket of the last write that the duplicate had applied; -1: none
 * @param version empty: the key does not exist
 */
public record ReadResult(long asOf, Optional<Version> version) {}
