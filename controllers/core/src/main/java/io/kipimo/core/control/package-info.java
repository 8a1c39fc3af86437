/**
 * The contract of all controllers: admission, replication, sampling and rating.
 *
 * <p>Read {@link io.kipimo.core.control.Controller} first.
 */
package io.kipimo.core.control;
