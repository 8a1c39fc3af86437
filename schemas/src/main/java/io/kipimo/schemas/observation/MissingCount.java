package io.kipimo.schemas.observation;

import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;

/**
 * Number of measurable answers, unsampled, for which a component was not in time, or was not asked.
 *
 * @param answers number of answers, at most those that the observation counts; the observation's codec checks this
 */
public record MissingCount(
        @Name String component,

        @Range(least = Long.MIN_VALUE, most = Long.MAX_VALUE)
        long answers) {}
