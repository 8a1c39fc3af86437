package io.kipimo.core.sampling.adaptive;

import io.kipimo.schemas.decision.Decision;
import java.util.Optional;

/** The state afterwards, and the decision; empty where the window was not for this controller. */
public record SamplingStep(SamplingState next, Optional<Decision> decision) {}
