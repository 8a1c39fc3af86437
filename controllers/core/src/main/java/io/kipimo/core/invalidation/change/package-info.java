/**
 * Input and output of invalidation: after-images of writes, and changes of a query's result (Quaestor, sec. 4.1).
 *
 * <p>Read {@link io.kipimo.core.invalidation.change.AfterImage} first.
 */
package io.kipimo.core.invalidation.change;
