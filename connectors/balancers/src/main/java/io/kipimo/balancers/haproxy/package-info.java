/**
 * Applies admission decisions in HAProxy at run time: by a map with the admitted fraction of each class, over the
 * Runtime API, or by weights, over agent checks. Read {@link io.kipimo.balancers.haproxy.HaproxyAdapter} first.
 */
package io.kipimo.balancers.haproxy;
