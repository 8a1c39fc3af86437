package io.kipimo.schemas.quality;

import java.util.Map;

/** Why an answer is not measurable. */
public enum Unmeasurable {
    /** The answer asked no component, so there is no evidence that it is complete. */
    NO_COMPONENTS,
    /** The front end answered with an error. */
    FAILED_ANSWER,
    /** The answer, or the result of a component, could not be read. */
    UNREADABLE,
    /** A component that every query must invoke was not invoked, as far as the emitter knows. */
    NOT_ASKED,
    /** The answer is marked as partial, and no mature answer will come. */
    CUT;

    /** Below this share of measurable answers, quality never counts as good. */
    public static final double LEAST_MEASURABLE_SHARE = 0.5;

    /**
     * Estimates how many answers are not measurable. The result is the front ends' count or, if
     * greater, an extrapolation from the samples, as some front ends do not count such answers.
     *
     * @param counted answers that front ends counted as not measurable
     * @param timedOut answers without the result of some component
     * @param cleanSamples sampled queries whose quality is 1 by construction
     * @param samples sampled queries that are not measurable
     */
    public static long estimate(
            long counted, long answered, long timedOut, int cleanSamples, int samples) {
        // A front end that does not count such answers reports them as clean, so extrapolate from
        // clean samples.
        double share = samples == 0 ? 0 : (double) samples / (cleanSamples + samples);
        long sampled = Math.round(share * Math.max(0, answered - timedOut));
        return Math.min(answered, Math.max(counted, sampled));
    }

    /** Sum over all reasons. */
    public static long sum(Map<Unmeasurable, Long> answersByReason) {
        long sum = 0;
        for (long answers : answersByReason.values()) {
            sum += answers;
        }
        return sum;
    }
}
