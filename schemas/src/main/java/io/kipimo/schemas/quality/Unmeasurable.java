package io.kipimo.schemas.quality;

import java.util.Map;

/** Why nobody can tell the quality of an answer. */
public enum Unmeasurable {
    /** The answer names no component, so nothing says that it is complete. */
    NO_COMPONENTS,
    /** The front end answered with an error. */
    FAILED_ANSWER,
    /** Neither the answer nor the result of some component could be read. */
    UNREADABLE,
    /** A component that every query should ask was not asked, as far as the emitter saw. */
    NOT_ASKED,
    /** The answer says of itself that it is partial, and no mature answer will come. */
    CUT;

    /** All answers of counts by reason. */
    public static long sum(Map<Unmeasurable, Long> answersByReason) {
        long sum = 0;
        for (long answers : answersByReason.values()) {
            sum += answers;
        }
        return sum;
    }
}
