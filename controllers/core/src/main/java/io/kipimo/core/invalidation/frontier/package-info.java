/**
 * Tells up to which time a stream of notifications is complete, and from which position a reader resumes.
 *
 * <p>Read {@link io.kipimo.core.invalidation.frontier.Frontier} and
 * {@link io.kipimo.core.invalidation.frontier.ResumeToken}.
 */
package io.kipimo.core.invalidation.frontier;
