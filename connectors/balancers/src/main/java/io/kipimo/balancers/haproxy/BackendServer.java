package io.kipimo.balancers.haproxy;

/**
 * State of a server in HAProxy.
 *
 * @param isUp whether it gets traffic: running, not in maintenance or drain, and no backup
 * @param weight 0..256
 */
record BackendServer(String name, boolean isUp, int weight) {}
