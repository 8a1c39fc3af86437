/**
 * Distinguishes stale, inconsistent and wrong reads from valid ones as BG does, by the beginning and end of writes and
 * reads and by their contents (Barahmand and Ghandeharizadeh: BG, CIDR 2013, sec. 4; paper, sec. 5.3). Read
 * {@link io.kipimo.labs.social.validation.ReadValidator} first.
 */
package io.kipimo.labs.social.validation;
