/**
 * Prediction of an answer's quality from its missing components, at the time it is sent. Read
 * {@link io.kipimo.schemas.completeness.CompletenessModel} first.
 */
package io.kipimo.schemas.completeness;
