/**
 * How far a stream of notifications is complete, and where its reader goes on after a break.
 *
 * <p>Read {@link io.kipimo.core.invalidation.frontier.Frontier} and {@link
 * io.kipimo.core.invalidation.frontier.ResumeToken}.
 */
package io.kipimo.core.invalidation.frontier;
