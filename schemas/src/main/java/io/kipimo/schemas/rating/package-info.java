/**
 * Ratings on the topics: what is asked for, what load generators are told and tell, what was found.
 * Read {@link io.kipimo.schemas.rating.Rating} first.
 */
package io.kipimo.schemas.rating;
