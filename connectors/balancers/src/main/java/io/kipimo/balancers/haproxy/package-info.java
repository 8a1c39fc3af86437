/**
 * HAProxy, steered while it runs: a map with the admitted fraction of each class, over its Runtime
 * API; or weights, by agent checks. Read {@link io.kipimo.balancers.haproxy.HaproxyAdapter} first.
 */
package io.kipimo.balancers.haproxy;
