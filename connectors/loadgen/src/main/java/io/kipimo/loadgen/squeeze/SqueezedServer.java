package io.kipimo.loadgen.squeeze;

/**
 * The server whose share grows, as it and its like are named in the topic of server observations.
 *
 * @param tier all others of it are the rest
 */
public record SqueezedServer(String service, String tier, String server) {}
