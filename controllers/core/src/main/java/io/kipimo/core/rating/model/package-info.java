/**
 * Services in a formula, to dry-run a rating on (sec. 2.3). Read {@link
 * io.kipimo.core.rating.model.DryRun} first.
 */
package io.kipimo.core.rating.model;
