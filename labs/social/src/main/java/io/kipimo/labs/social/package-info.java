/**
 * Runs BG's social workload on Redis (Barahmand and Ghandeharizadeh, CIDR 2013). It detects unpredictable reads, and
 * restores the store between experiments (On Expedited Rating of Data Stores, sec. 4 and 5). Read
 * {@link io.kipimo.labs.social.SocialTarget} first.
 */
package io.kipimo.labs.social;
