package io.kipimo.core.quality.fanout.model;

import io.kipimo.schemas.fanout.ContributionTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A learned model of one service, as front ends use it. Immutable.
 *
 * <p>The logit of a component is its bias plus the sum of its weights in the rows of the query's features. The softmax
 * of the logits is the predicted share of the full answer.
 */
public final class ContributionModel {
    /** Greatest size of the table, bytes. */
    public static final int MOST_BYTES = ContributionTable.MOST_BYTES;

    private final ContributionTable table;
    private final Map<String, Integer> indices = new HashMap<>();
    private final Calibration calibration;

    /** @param table checked by its codec, or learned */
    ContributionModel(ContributionTable table) {
        this.table = table;
        for (int c = 0; c < table.components().size(); c++) {
            indices.put(table.components().get(c), c);
        }
        calibration = new Calibration(table.tested(), table.predicted(), table.kept());
    }

    /** The published form. */
    public ContributionTable table() {
        return table;
    }

    public List<String> components() {
        return table.components();
    }

    /** Index of a component; -1: unknown. */
    int index(String component) {
        return indices.getOrDefault(component, -1);
    }

    double[] costs() {
        return table.costs();
    }

    Calibration calibration() {
        return calibration;
    }

    /**
     * Predicted share of the full answer of each component, in the order of {@link #components}.
     *
     * @param features hashes; those after the 64th are ignored
     */
    public double[] predict(long[] features) {
        double[] shares = table.bias().clone();
        int n = shares.length;
        int count = HashedFeatures.count(features);
        for (int f = 0; f < count; f++) {
            int at = HashedFeatures.row(features[f], table.rowBits()) * n;
            for (int c = 0; c < n; c++) {
                shares[c] += table.step() * table.table()[at + c];
            }
        }
        HashedFeatures.softmax(shares);
        return shares;
    }
}
