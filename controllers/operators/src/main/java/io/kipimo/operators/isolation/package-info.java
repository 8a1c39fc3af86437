/**
 * Failures in the data of one service stay with that service. Read {@link io.kipimo.operators.isolation.Isolation}
 * first.
 */
package io.kipimo.operators.isolation;
