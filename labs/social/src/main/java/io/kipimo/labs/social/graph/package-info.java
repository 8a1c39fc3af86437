/**
 * What the social workload of BG is made of: its eleven actions, their mixes, the graph that is
 * loaded, and who acts how often (Barahmand and Ghandeharizadeh: BG, CIDR 2013; On Expedited Rating
 * of Data Stores, table 2). Read {@link io.kipimo.labs.social.graph.SocialGraph} first.
 */
package io.kipimo.labs.social.graph;
