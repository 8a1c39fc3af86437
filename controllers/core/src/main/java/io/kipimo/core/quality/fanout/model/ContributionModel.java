package io.kipimo.core.quality.fanout.model;

import io.kipimo.schemas.fanout.ContributionTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A learned model of which components of one service contribute to a query, as front ends use it. Immutable.
 *
 * <p>The logit of a component is its bias plus the sum of its weights in the rows of the query's features. The softmax
 * of the logits is the predicted share of the full answer.
 */
public final class ContributionModel {
    /** Greatest size of the table, bytes. */
    public static final int MOST_BYTES = ContributionTable.MOST_BYTES;

    private final String service;
    private final long version;
    private final long learnedAtMillis;
    private final List<String> components;
    private final Map<String, Integer> indices = new HashMap<>();
    private final double[] costs;
    private final double[] bias;
    private final int rowBits;
    private final double step;
    private final byte[] table;
    private final Calibration calibration;

    /**
     * Takes over the arrays, whose sizes and numbers are those that a {@link ContributionTable} may have.
     *
     * @param version grows with every published model of a service
     * @param components names, each once
     * @param costs work of each component, above 0, in any unit
     * @param bias logit of each component
     * @param step weight of one unit in the table, at least 0
     * @param table weights, row by row, one byte for each component; {@code 2^rowBits} rows
     */
    ContributionModel(
            String service,
            long version,
            long learnedAtMillis,
            List<String> components,
            double[] costs,
            double[] bias,
            int rowBits,
            double step,
            byte[] table,
            Calibration calibration) {
        for (int c = 0; c < components.size(); c++) {
            indices.put(components.get(c), c);
        }
        this.service = service;
        this.version = version;
        this.learnedAtMillis = learnedAtMillis;
        this.components = List.copyOf(components);
        this.costs = costs;
        this.bias = bias;
        this.rowBits = rowBits;
        this.step = step;
        this.table = table;
        this.calibration = calibration;
    }

    /** The published model of a service, whose table its codec has checked. */
    public static ContributionModel of(String service, long version, long learnedAtMillis, ContributionTable table) {
        return new ContributionModel(
                service,
                version,
                learnedAtMillis,
                table.components(),
                table.costs(),
                table.bias(),
                table.rowBits(),
                table.step(),
                table.table(),
                new Calibration(table.tested(), table.predicted(), table.kept()));
    }

    /** The published form; it shares the arrays. */
    public ContributionTable table() {
        return new ContributionTable(
                components,
                costs,
                bias,
                rowBits,
                step,
                table,
                calibration.counts(),
                calibration.predicted(),
                calibration.kept());
    }

    public String service() {
        return service;
    }

    public long version() {
        return version;
    }

    public List<String> components() {
        return components;
    }

    /** Size of the table, bytes. */
    public int bytes() {
        return table.length;
    }

    /**
     * The reason why a front end must not use the model; empty if it may.
     *
     * @param ownService the front end's service
     * @param inUse version of the model in use, which an older one does not replace
     * @param longestMillis age beyond which a model is stale
     */
    public Optional<String> refusal(String ownService, long inUse, long nowMillis, long longestMillis) {
        if (!service.equals(ownService)) {
            return Optional.of("is of service '" + service + "', not '" + ownService + "'");
        }
        if (version < inUse) {
            return Optional.of("version " + version + " is older than " + inUse);
        }
        long age = nowMillis - learnedAtMillis;
        return age > longestMillis ? Optional.of("is " + age + " ms old; allowed: " + longestMillis) : Optional.empty();
    }

    /** Index of a component; -1: unknown. */
    int index(String component) {
        return indices.getOrDefault(component, -1);
    }

    double[] costs() {
        return costs;
    }

    Calibration calibration() {
        return calibration;
    }

    /**
     * Share of the full answer that each component is predicted to contribute, in the order of {@link #components}.
     *
     * @param features hashes; those after the 64th are ignored
     */
    public double[] predict(long[] features) {
        double[] shares = bias.clone();
        int n = shares.length;
        int count = HashedFeatures.count(features);
        for (int f = 0; f < count; f++) {
            int at = HashedFeatures.row(features[f], rowBits) * n;
            for (int c = 0; c < n; c++) {
                shares[c] += step * table[at + c];
            }
        }
        HashedFeatures.softmax(shares);
        return shares;
    }
}
