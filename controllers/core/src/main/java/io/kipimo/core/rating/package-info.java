/**
 * The rating of a service or a store: the highest throughput at which it keeps its service level agreement (Barahmand
 * and Ghandeharizadeh, "On Expedited Rating of Data Stores"; sections below are the paper's).
 *
 * <p>{@link io.kipimo.core.rating.Search} chooses the next load (sec. 2.2) by golden section, by the paper's
 * approximate technique, or by Kipimo's adaptive technique. The readings so far are its whole state, so it continues
 * from its log after a restart; read it first. {@link io.kipimo.core.rating.RatingProtocol} runs a rating from its
 * request to its end: it measures noise, searches, and confirms the load for the duration of the agreement.
 * {@link io.kipimo.core.rating.DeltaAnalyzer} finds how long an experiment must run so that longer ones give the same
 * figures (sec. 3). {@link io.kipimo.core.rating.RatingCosts} computes how long a rating takes (sec. 6.1).
 * {@link io.kipimo.core.rating.DriftWatch} detects that a service has changed since its rating.
 * {@link io.kipimo.core.rating.DryRun} runs a search on a service that is a formula (sec. 2.3).
 */
package io.kipimo.core.rating;
