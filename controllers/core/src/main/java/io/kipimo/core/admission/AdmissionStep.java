package io.kipimo.core.admission;

import io.kipimo.schemas.decision.Decision;
import java.util.List;

/** The state afterwards, and one decision for every class, or none at all. */
public record AdmissionStep(AdmissionState next, List<Decision> decisions) {}
