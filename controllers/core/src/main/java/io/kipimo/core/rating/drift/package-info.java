/**
 * Whether a service is still the one that was rated. Read {@link
 * io.kipimo.core.rating.drift.DriftWatch} first.
 */
package io.kipimo.core.rating.drift;
