package io.kipimo.core.quality.window;

import io.kipimo.schemas.quality.Estimate;
import io.kipimo.schemas.quality.Unmeasurable;
import java.util.Optional;

/** Verdict on the answers of a class. */
public enum Verdict {
    /** There is recent evidence that the objective is kept, and no sign of a problem. */
    FINE,
    /** The 95 % interval of the quality contains the objective. */
    UNCERTAIN,
    /** A person should act. */
    WRONG,
    /** There is no recent evidence, or too little. */
    UNKNOWN,
    /** There are no queries, by counts that are up to date. */
    IDLE;

    /**
     * FINE, UNCERTAIN or WRONG by the interval alone; UNKNOWN without an interval.
     *
     * @param quality mean quality with its 95 % interval
     * @param objective 0..1; 0 is kept by every answer
     */
    public static Verdict of(Optional<Estimate> quality, double objective) {
        return quality.map(q -> q.low() >= objective ? FINE : q.high() < objective ? WRONG : UNCERTAIN)
                .orElse(UNKNOWN);
    }

    /**
     * Whether so many answers are measurable that their quality says something about all of them.
     *
     * @param share of the answers, 0..1
     */
    public static boolean isEnough(double share) {
        return share >= Unmeasurable.LEAST_MEASURABLE_SHARE;
    }
}
