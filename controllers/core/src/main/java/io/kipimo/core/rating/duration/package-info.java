/**
 * Duration of a rating and its speed-up (sec. 6.1). Read {@link io.kipimo.core.rating.duration.RatingDuration} first.
 */
package io.kipimo.core.rating.duration;
