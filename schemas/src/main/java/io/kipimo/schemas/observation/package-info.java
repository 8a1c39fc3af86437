/**
 * Unsampled counts of front ends: the weights of the stratified estimate and the offered load. Read
 * {@link io.kipimo.schemas.observation.Observation} first.
 */
package io.kipimo.schemas.observation;
