/**
 * The rating of a service or a store: the highest throughput at which it keeps its service level agreement (Barahmand
 * and Ghandeharizadeh, "On Expedited Rating of Data Stores"). This package holds the agreement, the readings of
 * experiments and the rule for ending an experiment early.
 *
 * <p>{@link io.kipimo.core.rating.search} chooses the loads and evaluates noise. {@link io.kipimo.core.rating.delta}
 * chooses the duration of an experiment, {@link io.kipimo.core.rating.duration} computes that of a rating, and
 * {@link io.kipimo.core.rating.model} holds models for dry runs. Read {@link io.kipimo.core.rating.search.Search}
 * first.
 */
package io.kipimo.core.rating;
