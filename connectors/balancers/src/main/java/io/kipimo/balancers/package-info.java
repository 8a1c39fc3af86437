/** Decisions for load balancers that people run: {@link io.kipimo.balancers.haproxy}. */
package io.kipimo.balancers;
