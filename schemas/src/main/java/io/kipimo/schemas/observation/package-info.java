/**
 * What front ends count themselves, unsampled: the weights of the stratified estimate and the
 * offered load. Read {@link io.kipimo.schemas.observation.Observation} first.
 */
package io.kipimo.schemas.observation;
