/** Adapters for load balancers: {@link io.kipimo.balancers.haproxy}. */
package io.kipimo.balancers;
