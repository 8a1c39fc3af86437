package io.kipimo.duplicates;

import java.util.Optional;

/**
 * What a key holds.
 *
 * @param asOf ticket of the last write that the duplicate had applied; -1: none
 * @param version empty: the key is not there
 */
public record ReadResult(long asOf, Optional<Version> version) {}
