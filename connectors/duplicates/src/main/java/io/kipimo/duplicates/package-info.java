/**
 * A key-value store on duplicates. All execute the same operations, and the fastest one answers (Zoolander, sec. 5: RP
 * Zookeeper). Writes go through one partition of a log; their offsets are their tickets. Each duplicate applies them in
 * that order, or goes out.
 *
 * <p>Read {@link io.kipimo.duplicates.DuplicateProxy} first; services use
 * {@link io.kipimo.duplicates.DuplicatesClient}.
 */
package io.kipimo.duplicates;
