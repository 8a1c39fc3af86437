package io.kipimo.core.replication;

import java.util.Optional;

/** The state afterwards, and what was decided, if anything is to be said. */
public record ReplicatorStep(ReplicatorState next, Optional<FactorDecision> decision) {}
