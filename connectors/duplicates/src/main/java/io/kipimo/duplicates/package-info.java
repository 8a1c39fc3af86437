/**
 * A key-value store on duplicates that all do the same work, so that the fastest answers
 * (Zoolander, sec. 5: RP Zookeeper). Writes go through one partition of a log, whose offsets are
 * their tickets. Each duplicate applies them in that order, or goes out.
 *
 * <p>Read {@link io.kipimo.duplicates.DuplicateProxy} first; {@link
 * io.kipimo.duplicates.DuplicatesClient} is what services use.
 */
package io.kipimo.duplicates;
