package io.kipimo.core.quality.fanout.model;

import io.kipimo.schemas.deadline.FanOutCurve;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Learns which components contribute to a query, from queries that asked all components and whose
 * results all came. Mutable, for one thread.
 *
 * <p>Every query first tests the model, then teaches it. So the calibration is of queries that the
 * model had not learned from. Weights, step sizes and calibration fade with a half-life, so that
 * the model follows shifts and returns to the bias for features that no longer occur.
 */
public final class ContributionLearner {
    /** Half-life by default, in learned queries. */
    public static final double HALF_LIFE_QUERIES = 10_000;

    /** Greatest weight of a feature; the table's bytes cover this range. */
    private static final double MOST_WEIGHT = 8;

    private static final double RATE = 2;
    private static final double FIRST_SQUARE = 0.1;

    /** Calibration is of recent queries: it fades as often as this in a half-life. */
    private static final double CALIBRATION_PER_HALF_LIFE = 10;

    /** Stored values are rescaled before they lose precision. */
    private static final double LEAST_SCALE = 1e-3;

    /** Version of the stored form. */
    private static final byte STORED_VERSION = 1;

    private final String service;
    private final List<String> components;
    private final int bytes;
    private final double halfLifeQueries;
    private final int rowBits;
    private final double fade;
    private final double calibrationFade;
    private final float[] weights;
    private final float[] squares;
    private final double[] bias;
    private final double[] biasSquares;
    private final double[] costs;
    private final double[] costCounts;
    private final Calibration calibration = Calibration.none();
    private final ChoiceTrial learnedChoices = new ChoiceTrial();
    private final ChoiceTrial perfectChoices = new ChoiceTrial();

    /** True weights and squares are the stored ones times this. */
    private double scale = 1;

    private long learned;

    /**
     * @param components names, each once
     * @param bytes greatest size of the published table, up to {@link ContributionModel#MOST_BYTES}
     * @param halfLifeQueries learned queries after which what was learned counts half
     */
    public ContributionLearner(
            String service, List<String> components, int bytes, double halfLifeQueries) {
        int n = components.size();
        if (n < 1 || n > bytes || bytes > ContributionModel.MOST_BYTES) {
            throw new IllegalArgumentException(
                    n
                            + " components in "
                            + bytes
                            + " bytes; allowed: at least one component, a byte for each, at most "
                            + ContributionModel.MOST_BYTES
                            + " bytes");
        }
        if (!(halfLifeQueries > 0)) {
            throw new IllegalArgumentException(
                    "half-life is " + halfLifeQueries + "; allowed: above 0");
        }
        this.service = service;
        this.components = List.copyOf(components);
        this.bytes = bytes;
        this.halfLifeQueries = halfLifeQueries;
        this.rowBits = 31 - Integer.numberOfLeadingZeros(bytes / n);
        this.fade = Math.pow(0.5, 1 / halfLifeQueries);
        this.calibrationFade = Math.pow(0.5, CALIBRATION_PER_HALF_LIFE / halfLifeQueries);
        this.weights = new float[n << rowBits];
        this.squares = new float[n << rowBits];
        this.bias = new double[n];
        this.biasSquares = new double[n];
        this.costs = new double[n];
        this.costCounts = new double[n];
    }

    public List<String> components() {
        return components;
    }

    /** Queries that taught the model. */
    public long learned() {
        return learned;
    }

    /**
     * Learns one query.
     *
     * @param features hashes; those after the 64th are ignored
     * @param contributions of each component to the full answer, at least 0, with a sum above 0
     * @param work of each component, such as its latency; 0: unknown
     * @return whether the query was learned; false: its numbers are not allowed
     */
    public boolean learn(long[] features, double[] contributions, double[] work) {
        int n = components.size();
        double sum = 0;
        boolean allowed = contributions.length == n && work.length == n;
        for (int c = 0; allowed && c < n; c++) {
            allowed = isAmount(contributions[c]) && isAmount(work[c]);
            sum += contributions[c];
        }
        if (!allowed || !(sum > 0) || !Double.isFinite(sum)) {
            return false;
        }
        double[] shares = new double[n];
        for (int c = 0; c < n; c++) {
            shares[c] = contributions[c] / sum;
            if (work[c] > 0) {
                costs[c] = costs[c] * fade + work[c];
                costCounts[c] = costCounts[c] * fade + 1;
            }
        }
        double[] predicted = predict(features);
        double[] meanCosts = meanCosts();
        int[] order = HashedFeatures.order(predicted, meanCosts);
        test(predicted, order, shares, meanCosts);
        calibrate(predicted, order, shares);
        step(features, predicted, shares);
        learned++;
        return true;
    }

    private static boolean isAmount(double value) {
        return value >= 0 && Double.isFinite(value);
    }

    private double[] predict(long[] features) {
        double[] shares = bias.clone();
        int n = shares.length;
        for (int f = 0; f < HashedFeatures.count(features); f++) {
            int at = HashedFeatures.row(features[f], rowBits) * n;
            for (int c = 0; c < n; c++) {
                shares[c] += scale * weights[at + c];
            }
        }
        HashedFeatures.softmax(shares);
        return shares;
    }

    /** Judges the choices that would have been made for the query. */
    private void test(double[] predicted, int[] order, double[] shares, double[] meanCosts) {
        boolean isCalibrated = calibration.holds();
        learnedChoices.add(
                order,
                predicted,
                share -> isCalibrated ? calibration.corrected(share) : 0,
                shares,
                meanCosts,
                calibrationFade);
        perfectChoices.add(
                HashedFeatures.order(shares, meanCosts),
                shares,
                share -> share,
                shares,
                meanCosts,
                calibrationFade);
    }

    /** Compares predicted with true quality, from one asked component to all but one. */
    private void calibrate(double[] predicted, int[] order, double[] shares) {
        calibration.fade(calibrationFade);
        double expected = 0;
        double kept = 0;
        for (int i = 0; i < order.length - 1; i++) {
            expected += predicted[order[i]];
            kept += shares[order[i]];
            calibration.add(expected, kept);
        }
    }

    private void step(long[] features, double[] predicted, double[] shares) {
        int n = predicted.length;
        int count = HashedFeatures.count(features);
        double rate = RATE / Math.sqrt(1 + count);
        scale *= fade;
        for (int c = 0; c < n; c++) {
            double slope = predicted[c] - shares[c];
            biasSquares[c] = biasSquares[c] * fade + slope * slope;
            bias[c] -= rate * slope / Math.sqrt(FIRST_SQUARE + biasSquares[c]);
        }
        for (int f = 0; f < count; f++) {
            int at = HashedFeatures.row(features[f], rowBits) * n;
            for (int c = 0; c < n; c++) {
                double slope = predicted[c] - shares[c];
                double square = scale * squares[at + c] + slope * slope;
                double weight =
                        scale * weights[at + c] - rate * slope / Math.sqrt(FIRST_SQUARE + square);
                squares[at + c] = (float) (square / scale);
                weights[at + c] =
                        (float) (Math.max(-MOST_WEIGHT, Math.min(MOST_WEIGHT, weight)) / scale);
            }
        }
        if (scale < LEAST_SCALE) {
            for (int i = 0; i < weights.length; i++) {
                weights[i] *= (float) scale;
                squares[i] *= (float) scale;
            }
            scale = 1;
        }
    }

    /** Mean work of each component; that of all for one whose work is unknown. */
    private double[] meanCosts() {
        double sum = 0;
        double count = 0;
        for (int c = 0; c < costs.length; c++) {
            sum += costs[c];
            count += costCounts[c];
        }
        double[] means = new double[costs.length];
        for (int c = 0; c < means.length; c++) {
            means[c] = costCounts[c] > 0 ? costs[c] / costCounts[c] : count > 0 ? sum / count : 1;
        }
        return means;
    }

    /** What its choices would have cost and kept, on queries before it learned from them. */
    public FanOutCurve curve() {
        return new FanOutCurve(
                learned, calibration.holds(), learnedChoices.floors(), perfectChoices.floors());
    }

    /**
     * Whether predictions were tested enough, and none promised too much.
     *
     * @param mostError by which choices may promise more than they keep, 0..1
     */
    public boolean isCalibrated(double mostError) {
        return calibration.holds(mostError);
    }

    /** The stored form, about eight bytes for each byte of the table. */
    public byte[] toBytes() {
        ByteArrayOutputStream stored = new ByteArrayOutputStream(8 * weights.length + 4_096);
        try (DataOutputStream out = new DataOutputStream(stored)) {
            out.writeByte(STORED_VERSION);
            out.writeUTF(service);
            out.writeInt(components.size());
            for (String component : components) {
                out.writeUTF(component);
            }
            out.writeInt(bytes);
            out.writeDouble(halfLifeQueries);
            out.writeDouble(scale);
            out.writeLong(learned);
            Doubles.write(weights, out);
            Doubles.write(squares, out);
            for (double[] values : smallArrays()) {
                Doubles.write(values, out);
            }
            learnedChoices.write(out);
            perfectChoices.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return stored.toByteArray();
    }

    /** Reads {@link #toBytes}; empty: of a later version, so a new model has to begin. */
    public static Optional<ContributionLearner> ofBytes(byte[] stored) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(stored))) {
            if (in.readByte() != STORED_VERSION) {
                return Optional.empty();
            }
            String service = in.readUTF();
            List<String> components = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                components.add(in.readUTF());
            }
            ContributionLearner learner =
                    new ContributionLearner(service, components, in.readInt(), in.readDouble());
            learner.scale = in.readDouble();
            learner.learned = in.readLong();
            Doubles.read(learner.weights, in);
            Doubles.read(learner.squares, in);
            for (double[] values : learner.smallArrays()) {
                Doubles.read(values, in);
            }
            learner.learnedChoices.read(in);
            learner.perfectChoices.read(in);
            return Optional.of(learner);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<double[]> smallArrays() {
        return List.of(
                bias,
                biasSquares,
                costs,
                costCounts,
                calibration.counts(),
                calibration.predicted(),
                calibration.kept());
    }

    /**
     * The model so far, quantised.
     *
     * @param version greater than that of every earlier model of the service
     */
    public ContributionModel model(long version, long nowMillis) {
        double most = 0;
        for (float weight : weights) {
            most = Math.max(most, Math.abs(scale * weight));
        }
        double unit = most / Byte.MAX_VALUE;
        byte[] table = new byte[weights.length];
        for (int i = 0; unit > 0 && i < table.length; i++) {
            table[i] = (byte) Math.round(scale * weights[i] / unit);
        }
        return new ContributionModel(
                service,
                version,
                nowMillis,
                new ArrayList<>(components),
                meanCosts(),
                bias.clone(),
                rowBits,
                unit,
                table,
                calibration.copy());
    }
}
