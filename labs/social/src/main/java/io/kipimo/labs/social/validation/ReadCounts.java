package io.kipimo.labs.social.validation;

/**
 * Verdicts on reads.
 *
 * @param judged validated reads: valid, stale, inconsistent or wrong
 * @param stale validated reads that were stale
 * @param inconsistent validated reads that were inconsistent
 * @param wrong validated reads that were wrong
 * @param skipped reads that were not validated, because the validation was behind
 */
public record ReadCounts(long judged, long stale, long inconsistent, long wrong, long skipped) {
    /** No reads. */
    public static final ReadCounts NONE = new ReadCounts(0, 0, 0, 0, 0);

    /** Number of stale, inconsistent and wrong reads. */
    public long unpredictable() {
        return stale + inconsistent + wrong;
    }

    /** The counts since an earlier state of them. */
    public ReadCounts since(ReadCounts earlier) {
        return new ReadCounts(
                judged - earlier.judged,
                stale - earlier.stale,
                inconsistent - earlier.inconsistent,
                wrong - earlier.wrong,
                skipped - earlier.skipped);
    }
}
