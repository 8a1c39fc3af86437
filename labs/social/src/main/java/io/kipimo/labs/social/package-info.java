/**
 * Redis under the social workload of BG (Barahmand and Ghandeharizadeh, CIDR 2013), with
 * unpredictable reads told from valid ones and the store's state restored between experiments (On
 * Expedited Rating of Data Stores, sec. 4 and 5). Read {@link io.kipimo.labs.social.SocialTarget}
 * first.
 */
package io.kipimo.labs.social;
