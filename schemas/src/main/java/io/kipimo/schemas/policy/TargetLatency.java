package io.kipimo.schemas.policy;

/** The figure of the first tier's latency that replication minimises (sPARE, sec. V-B). */
public enum TargetLatency {
    MEAN,
    P95,
    P99
}
