/**
 * Decisions of the controllers, and the claims of epochs that order decisions: the newest wins, and each expires. Read
 * {@link io.kipimo.schemas.decision.Decision} first.
 */
package io.kipimo.schemas.decision;
