/**
 * Completeness of a stream of notifications, and the position from which a reader resumes.
 *
 * <p>Read {@link io.kipimo.core.invalidation.frontier.Frontier} and
 * {@link io.kipimo.core.invalidation.frontier.ResumeToken}.
 */
package io.kipimo.core.invalidation.frontier;
