/** Detects that a service has changed since its rating. Read {@link io.kipimo.core.rating.drift.DriftWatch} first. */
package io.kipimo.core.rating.drift;
