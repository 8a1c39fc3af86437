package io.kipimo.labs.social.validation;

/**
 * Verdicts on reads.
 *
 * @param judged valid, stale, inconsistent and wrong ones
 * @param stale of these
 * @param inconsistent of these
 * @param wrong of these
 * @param skipped not validated, because the validation was behind
 */
public record ReadCounts(long judged, long stale, long inconsistent, long wrong, long skipped) {
    /** No reads. */
    public static final ReadCounts NONE = new ReadCounts(0, 0, 0, 0, 0);

    /** Stale, inconsistent or wrong ones. */
    public long unpredictable() {
        return stale + inconsistent + wrong;
    }

    /** Difference to an earlier count. */
    public ReadCounts since(ReadCounts earlier) {
        return new ReadCounts(
                judged - earlier.judged,
                stale - earlier.stale,
                inconsistent - earlier.inconsistent,
                wrong - earlier.wrong,
                skipped - earlier.skipped);
    }
}
