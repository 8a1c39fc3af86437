/**
 * Tells reads that were stale, inconsistent or wrong from valid ones, as BG does: from when writes
 * and reads began and ended, and what they changed and saw (Barahmand and Ghandeharizadeh: BG, CIDR
 * 2013, sec. 4; paper, sec. 5.3). Read {@link io.kipimo.labs.social.validation.ReadValidator}
 * first.
 */
package io.kipimo.labs.social.validation;
