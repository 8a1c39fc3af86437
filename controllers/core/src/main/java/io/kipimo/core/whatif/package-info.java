/**
 * Replays recordings through the decision code of the jobs, with the recorded policy or another one. A recording
 * consists of windows, or of answers, partial results and counts. {@link io.kipimo.core.whatif.RecordedInvocations}
 * reconstructs when a controller was run and on which windows, {@link io.kipimo.core.whatif.ControlReplay} runs it
 * again, {@link io.kipimo.core.whatif.MeasurementReplay} computes windows again, and
 * {@link io.kipimo.core.whatif.OtherDeadline} gives the events at another deadline. The load is as recorded; use the
 * simulator for the effect of other fractions on the service.
 *
 * <p>Read {@link io.kipimo.core.whatif.ControlReplay} first.
 */
package io.kipimo.core.whatif;
