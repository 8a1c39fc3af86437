/**
 * The rating of a service or a store: the highest throughput at which it keeps its service level
 * agreement (Barahmand and Ghandeharizadeh, "On Expedited Rating of Data Stores"). Here: what is
 * promised, what an experiment tells, and when an experiment may end early.
 *
 * <p>{@link io.kipimo.core.rating.search} chooses the loads to try and judges noise, {@link
 * io.kipimo.core.rating.delta} how long to try each, {@link io.kipimo.core.rating.duration} tells
 * how long all of it takes, {@link io.kipimo.core.rating.model} is what it is dry-run on. Read
 * {@link io.kipimo.core.rating.search.Search} first.
 */
package io.kipimo.core.rating;
