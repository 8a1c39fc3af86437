package io.kipimo.balancers.haproxy;

/**
 * A server as HAProxy sees it.
 *
 * @param isUp running and not taken out by anybody
 * @param weight 0..256
 */
record BackendServer(String name, boolean isUp, int weight) {}
