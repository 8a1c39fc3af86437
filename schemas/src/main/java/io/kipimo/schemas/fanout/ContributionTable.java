package io.kipimo.schemas.fanout;

import io.kipimo.schemas.field.Distinct;
import io.kipimo.schemas.field.Name;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Size;
import java.util.List;

/**
 * Model that predicts which components contribute to a query: a quantised logistic regression over hashed features. The
 * record owns its arrays; they must not change.
 *
 * @param components names, each once; 1..1000
 * @param costs work of each component, above 0
 * @param bias logit of each component
 * @param rowBits the table has {@code 2^rowBits} rows, 0..17
 * @param step weight of one unit in the table, at least 0
 * @param table weights, row by row, one byte for each component; at most {@link #MOST_BYTES}
 * @param tested number of choices that tested the model, in each tenth of predicted quality
 * @param predicted sum of the predicted qualities in each tenth
 * @param kept sum of the true qualities in each tenth
 */
public record ContributionTable(
        @Name @Distinct @Size(least = 1, most = ContributionTable.MOST_COMPONENTS)
        List<String> components,

        @Range(least = Double.MIN_NORMAL, most = 1e15) double[] costs,
        @Range(least = -1e6, most = 1e6) double[] bias,
        @Range(most = ContributionTable.MOST_ROW_BITS) int rowBits,
        @Range(most = 1e6) double step,

        @Size(least = 1, most = ContributionTable.MOST_BYTES)
        byte[] table,

        @Size(least = ContributionTable.BINS, most = ContributionTable.BINS)
        double[] tested,

        @Size(least = ContributionTable.BINS, most = ContributionTable.BINS)
        double[] predicted,

        @Size(least = ContributionTable.BINS, most = ContributionTable.BINS)
        double[] kept) {
    /** Greatest size of the table, bytes. */
    public static final int MOST_BYTES = 128 * 1024;

    public static final int MOST_COMPONENTS = 1_000;
    public static final int MOST_ROW_BITS = 17;

    /** Number of ranges of predicted quality, each a tenth wide. */
    public static final int BINS = 10;
}
