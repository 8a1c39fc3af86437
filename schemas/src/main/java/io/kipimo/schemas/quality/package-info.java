/**
 * Answers and partial results as services emit them, and the measurements and windows made of them (Ubora, sec. 3).
 * Read {@link io.kipimo.schemas.quality.Answer} and {@link io.kipimo.schemas.quality.PartialResult} first, then
 * {@link io.kipimo.schemas.quality.Measurement}.
 */
package io.kipimo.schemas.quality;
