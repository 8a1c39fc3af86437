/**
 * The invalidation job: its topology on one page and its options. Read
 * {@link io.kipimo.jobs.invalidation.InvalidationJob} first.
 */
package io.kipimo.jobs.invalidation;
