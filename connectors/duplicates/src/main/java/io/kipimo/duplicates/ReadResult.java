package io.kipimo.duplicates;

import java.util.Optional;

/**
 * State of a key at a duplicate.
 *
 * @param asOf ticket of the last write applied at the duplicate; -1: none
 * @param version version of the key; empty: the key does not exist
 */
public record ReadResult(long asOf, Optional<Version> version) {}
