/**
 * Whether a release keeps the quality that was promised, or that its predecessor had: three
 * verdicts, since no data is no pass. Read {@link io.kipimo.core.quality.gate.Gate} first.
 */
package io.kipimo.core.quality.gate;
