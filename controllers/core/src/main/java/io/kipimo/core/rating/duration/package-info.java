/**
 * How long a rating takes and what speeds it up (sec. 6.1). Read {@link
 * io.kipimo.core.rating.duration.RatingDuration} first.
 */
package io.kipimo.core.rating.duration;
