/**
 * Access to the decisions of the controllers, and emission of events for the measuring jobs. Read
 * {@link io.kipimo.sdk.internal.control.Control}.
 */
package io.kipimo.sdk.internal.control;
