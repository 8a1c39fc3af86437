/**
 * Admission by predicted cost: what queries of each decile of cost take, and which share of each is admitted. Begin
 * with {@link io.kipimo.core.cost.CostOrder}.
 */
package io.kipimo.core.cost;
