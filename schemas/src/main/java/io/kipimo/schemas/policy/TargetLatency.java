package io.kipimo.schemas.policy;

/** What replication is to make smaller: a figure of the first tier's latency (sPARE, sec. V-B). */
public enum TargetLatency {
    MEAN,
    P95,
    P99
}
