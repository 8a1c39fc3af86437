package io.kipimo.core.whatif;

import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.quality.Answer;
import io.kipimo.schemas.quality.PartialResult;
import java.util.List;

/** Recorded input of the quality job for one service, in any order. */
public record RecordedEvents(List<Answer> answers, List<PartialResult> partials, List<Observation> observations) {}
