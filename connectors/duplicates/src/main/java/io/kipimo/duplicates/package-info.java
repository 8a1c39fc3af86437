/**
 * A key-value store on duplicates. All duplicates execute the same operations, and the fastest one answers (Zoolander,
 * sec. 5: RP Zookeeper). Writes go through one partition of a log; the offset of a write is its ticket. Each duplicate
 * applies the writes in this order, or goes out of service.
 *
 * <p>Read {@link io.kipimo.duplicates.DuplicateProxy} first; services use
 * {@link io.kipimo.duplicates.DuplicatesClient}.
 */
package io.kipimo.duplicates;
