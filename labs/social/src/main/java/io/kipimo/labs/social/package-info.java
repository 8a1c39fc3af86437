/**
 * Redis under BG's social workload (Barahmand and Ghandeharizadeh, CIDR 2013), with detection of unpredictable reads,
 * and with the store restored between experiments (On Expedited Rating of Data Stores, sec. 4 and 5). Read
 * {@link io.kipimo.labs.social.SocialTarget} first.
 */
package io.kipimo.labs.social;
