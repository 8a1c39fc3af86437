/**
 * A service of two tiers behind two gateways, for experiments with replication. Gateways copy requests by decisions and
 * report on their servers. Servers simulate service times. Read {@link io.kipimo.endtoend.tiers.TieredService} first.
 */
package io.kipimo.endtoend.tiers;
