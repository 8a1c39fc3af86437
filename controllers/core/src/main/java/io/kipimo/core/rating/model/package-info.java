/** Services as formulas, for dry runs of a rating (sec. 2.3). Read {@link io.kipimo.core.rating.model.DryRun} first. */
package io.kipimo.core.rating.model;
