/**
 * Keeps a failure that one service's data or policy causes from affecting other services. Read
 * {@link io.kipimo.operators.isolation.Isolation} first.
 */
package io.kipimo.operators.isolation;
