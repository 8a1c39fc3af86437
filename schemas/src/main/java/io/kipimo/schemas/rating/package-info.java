/**
 * Ratings on the topics: requests, commands to load generators, their reports, and results. Read
 * {@link io.kipimo.schemas.rating.Rating} first.
 */
package io.kipimo.schemas.rating;
