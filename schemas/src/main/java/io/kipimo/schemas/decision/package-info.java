/**
 * The envelope of every controller's decision and the claims that order them: newest wins, nothing is valid for ever.
 * Read {@link io.kipimo.schemas.decision.Decision} first.
 */
package io.kipimo.schemas.decision;
