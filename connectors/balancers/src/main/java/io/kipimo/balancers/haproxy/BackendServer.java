package io.kipimo.balancers.haproxy;

/**
 * State of a server in HAProxy.
 *
 * @param isUp whether it is running and not in maintenance or drain
 * @param weight 0..256
 */
record BackendServer(String name, boolean isUp, int weight) {}
