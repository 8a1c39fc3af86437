package io.kipimo.schemas.quality;

import java.util.Map;

/** Reason why an answer is not measurable. */
public enum Unmeasurable {
    /** The answer names no component that was asked, so nothing shows that it is complete. */
    NO_COMPONENTS("name the components that were asked, or set the gateway's engine"),
    /** The front end answered with an error. */
    FAILED_ANSWER("the front end's log, or the gateway's, says which errors these are"),
    /** The answer, or the result of a component, could not be read. */
    UNREADABLE("compare engine, items and content coding with the answers; the log says which"),
    /** A component that every query must invoke was not invoked, as far as the emitter knows. */
    NOT_ASKED("the front end must pass the trace's headers on, and call no component directly"),
    /** The answer is marked as partial, and no mature answer will come. */
    CUT("run cut queries again, or raise the limit"),
    /** The answer has no list of items that shows what it lacks: it was asked for none, or no shard was asked. */
    NO_LIST("raise the limit of counts and aggregations, and check that their index exists"),
    /** The answer's items are not the merge of its in-time results by the policy; the quality job found it. */
    MERGE_DIFFERS(
            "set the policy's merge to the service's own; if no kind is, set REPLAYED_ANSWERS and emit both answers");

    /** Below this share of measurable answers, quality never counts as good. */
    public static final double LEAST_MEASURABLE_SHARE = 0.5;

    private final String advice;

    Unmeasurable(String advice) {
        this.advice = advice;
    }

    /** Advice to people on how to avoid this reason: part of a sentence, without a full stop. */
    public String advice() {
        return advice;
    }

    /**
     * Estimates how many answers are not measurable. The result is the front ends' count or, if greater, an
     * extrapolation from the samples, as some front ends do not count such answers.
     *
     * @param counted answers that front ends counted as not measurable
     * @param timedOut answers without the result of some component
     * @param cleanSamples sampled queries whose quality is 1 by construction
     * @param samples sampled queries that are not measurable
     */
    public static long estimate(long counted, long answered, long timedOut, int cleanSamples, int samples) {
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
