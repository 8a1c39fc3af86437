package io.kipimo.core.rating.course;

import io.kipimo.schemas.rating.Experiment;
import io.kipimo.schemas.rating.Rating;
import java.util.List;
import java.util.Optional;

/**
 * What follows from an event.
 *
 * @param commands to load generators, in order
 * @param news the rating, if there is something new of it
 */
public record ConductorStep(
        ConductorState next, List<Experiment> commands, Optional<Rating> news) {}
