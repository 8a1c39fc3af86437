package io.kipimo.core.whatif;

import io.kipimo.core.guard.StepContext;
import io.kipimo.schemas.decision.Decision;
import io.kipimo.schemas.policy.Policy;
import io.kipimo.schemas.quality.QualityWindow;
import java.util.List;
import java.util.Optional;

/**
 * One replayed step or heartbeat.
 *
 * @param before state of the controller before the step
 * @param window window of the step; empty: it was a heartbeat
 * @param <S> the controller's state
 */
public record Replayed<S>(
        StepContext<Policy> context, S before, Optional<QualityWindow> window, List<Decision> decisions) {}
