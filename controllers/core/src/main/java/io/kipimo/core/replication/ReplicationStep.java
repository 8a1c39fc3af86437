package io.kipimo.core.replication;

import io.kipimo.schemas.replication.ReplicationDecision;
import java.util.Optional;

/** What a turn of the {@link ReplicationLoop} comes to. */
public record ReplicationStep(ReplicationState next, Optional<ReplicationDecision> decision) {}
