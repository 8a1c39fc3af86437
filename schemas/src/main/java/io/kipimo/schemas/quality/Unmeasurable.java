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

    /** Nothing good is said of answers of which a smaller share is measurable. */
    public static final double LEAST_MEASURABLE_SHARE = 0.5;

    /**
     * Answers of a stretch of time whose quality nobody can tell: as many as the front ends
     * counted, or, where those do not count them or not all of them do, as the samples say.
     *
     * @param counted by the front ends, of the {@code answered}
     * @param timedOut of the {@code answered}
     * @param cleanSamples sampled queries whose quality is 1 by construction
     * @param samples sampled queries that are not measurable
     */
    public static long estimate(
            long counted, long answered, long timedOut, int cleanSamples, int samples) {
        // Who does not count them takes them for clean ones, so they have a share of those.
        double share = samples == 0 ? 0 : (double) samples / (cleanSamples + samples);
        long sampled = Math.round(share * Math.max(0, answered - timedOut));
        return Math.min(answered, Math.max(counted, sampled));
    }

    /** All answers of counts by reason. */
    public static long sum(Map<Unmeasurable, Long> answersByReason) {
        long sum = 0;
        for (long answers : answersByReason.values()) {
            sum += answers;
        }
        return sum;
    }
}
