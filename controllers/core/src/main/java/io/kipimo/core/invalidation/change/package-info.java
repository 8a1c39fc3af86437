/**
 * What goes into invalidation and what comes out of it: after-images of writes, and notifications
 * that a query's result changed (Quaestor, sec. 4.1).
 *
 * <p>Read {@link io.kipimo.core.invalidation.change.AfterImage} first.
 */
package io.kipimo.core.invalidation.change;
