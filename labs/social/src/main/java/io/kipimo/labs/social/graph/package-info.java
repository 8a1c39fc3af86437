/**
 * Parts of BG's social workload: its eleven actions, their mixes, the initial graph, and the popularity of members
 * (Barahmand and Ghandeharizadeh: BG, CIDR 2013; On Expedited Rating of Data Stores, table 2). Read
 * {@link io.kipimo.labs.social.graph.SocialGraph} first.
 */
package io.kipimo.labs.social.graph;
