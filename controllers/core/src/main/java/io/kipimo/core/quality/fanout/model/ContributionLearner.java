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
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Learns which components contribute to a query, from queries that asked all components and whose results all came.
 * Mutable, for one thread.
 *
 * <p>Every query first tests the model, then teaches it. So the calibration uses queries that the model had not learned
 * from. Weights, step sizes and calibration fade with a half-life, so that the model follows shifts and returns to the
 * bias for features that no longer occur.
 */
public final class ContributionLearner {
    /** Half-life by default, in learned queries. */
    public static final double HALF_LIFE_QUERIES = 10_000;

    /** Greatest weight of a feature; the table's bytes cover this range. */
    private static final double MOST_WEIGHT = 8;

    private static final double RATE = 2;
    private static final double FIRST_SQUARE = 0.1;
    private static final double CONFIDENCE_RATE = 0.2;
    private static final double LEAST_CONFIDENCE = 0.05;

    /** Number of half-lives of the calibration in a half-life of the weights, so it describes recent queries. */
    private static final double CALIBRATION_PER_HALF_LIFE = 10;

    /** Promised qualities, ascending. If choices keep less than they promise at one of them, contributions shifted. */
    private static final double[] WATCHED = {0.5, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.98};

    /** Floor at which the curve is judged: the default floor of a policy. */
    private static final double USUAL_FLOOR = 0.93;

    /** Sum of broken promises that shows a shift; four choices that promised 0.8 or more and kept nothing suffice. */
    private static final double SHIFTED = 3;

    /** A noticed shift is over when the sum of broken promises is below this. */
    private static final double SETTLED = 1;

    /** Greatest sum of broken promises; it bounds the time until a shift can be over. */
    private static final double MOST_BROKEN = 2 * SHIFTED;

    /** Scale below which the stored values are rescaled, before they lose precision. */
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
    private final Waiting waiting;
    private final Calibration calibration = Calibration.none();

    /** Quality that choices promised by the calibration of their time, and the true quality that they kept. */
    private final Calibration promises = Calibration.none();

    private final ChoiceTrial learnedChoices = new ChoiceTrial();
    private final ChoiceTrial perfectChoices = new ChoiceTrial();

    /** True weights and squares are the stored ones times this. */
    private double scale = 1;

    private long learned;

    /**
     * Factor of the features' weights in predictions (temperature scaling, Guo et al. 2017). Queries teach it before
     * they teach the weights, because weights fit the queries that taught them better than others, most of all for rare
     * features.
     */
    private double confidence = 1;

    private double confidenceSquares;

    /**
     * For each watched quality, a cumulative sum (Page 1954) of how much more recent choices promised than they kept,
     * beyond the allowed error. It notices a shift within some ten queries, long before the calibration does, which
     * covers about a thousand.
     */
    private final double[] broken = new double[WATCHED.length];

    /**
     * @param components names, each once
     * @param bytes greatest size of the published table, up to {@link ContributionModel#MOST_BYTES}
     * @param halfLifeQueries learned queries after which what was learned counts half
     */
    public ContributionLearner(String service, List<String> components, int bytes, double halfLifeQueries) {
        this(service, components, bytes, ContributionModel.MOST_BYTES, halfLifeQueries);
    }

    /**
     * A learner for comparisons, whose table may be too large to be published.
     *
     * @param bytes size of the table, up to 16 MB
     */
    public static ContributionLearner ofAnySize(String service, List<String> components, int bytes) {
        return new ContributionLearner(service, components, bytes, 1 << 24, HALF_LIFE_QUERIES);
    }

    private ContributionLearner(
            String service, List<String> components, int bytes, int mostBytes, double halfLifeQueries) {
        int n = components.size();
        if (n < 1 || n > bytes || bytes > mostBytes) {
            throw new IllegalArgumentException(
                    "%s components in %s bytes; allowed: at least one component, a byte for each, at most %s bytes"
                            .formatted(n, bytes, mostBytes));
        }
        if (!(halfLifeQueries > 0)) {
            throw new IllegalArgumentException("half-life is " + halfLifeQueries + "; allowed: above 0");
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
        this.waiting = new Waiting(n, halfLifeQueries);
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
     * @param work of each component for this query, such as its latency; 0: unknown
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
        double[] evidence = evidence(features);
        double[] predicted = predict(evidence, confidence);
        double[] meanCosts = meanCosts();
        int[] order = HashedFeatures.order(predicted, meanCosts);
        waiting.learn(work);
        test(predicted, order, shares, relativeWork(work, meanCosts), meanCosts);
        watch(predicted, order, shares);
        calibrate(predicted, order, shares);
        temper(evidence, predicted, shares);
        step(features, predict(evidence, 1), shares);
        learned++;
        return true;
    }

    private static boolean isAmount(double value) {
        return value >= 0 && Double.isFinite(value);
    }

    /** Sum of the weights of the features, by component. */
    private double[] evidence(long[] features) {
        double[] sums = new double[components.size()];
        for (int f = 0; f < HashedFeatures.count(features); f++) {
            int at = HashedFeatures.row(features[f], rowBits) * sums.length;
            for (int c = 0; c < sums.length; c++) {
                sums[c] += scale * weights[at + c];
            }
        }
        return sums;
    }

    /** Shares of the full answer by what is learned so far, as {@link ContributionModel#predict}, but not quantised. */
    public double[] predict(long[] features) {
        return predict(evidence(features), confidence);
    }

    private double[] predict(double[] evidence, double factor) {
        double[] shares = bias.clone();
        for (int c = 0; c < shares.length; c++) {
            shares[c] += factor * evidence[c];
        }
        HashedFeatures.softmax(shares);
        return shares;
    }

    /** Moves the confidence one step towards the value that would have predicted the queries best. */
    private void temper(double[] evidence, double[] predicted, double[] shares) {
        double slope = 0;
        for (int c = 0; c < evidence.length; c++) {
            slope += (predicted[c] - shares[c]) * evidence[c];
        }
        confidenceSquares = confidenceSquares * calibrationFade + slope * slope;
        double moved = confidence - CONFIDENCE_RATE * slope / Math.sqrt(FIRST_SQUARE + confidenceSquares);
        confidence = Math.max(LEAST_CONFIDENCE, Math.min(1, moved));
    }

    /** The work of a query for each component, less the waiting; 1 is the sum of the mean costs. */
    private double[] relativeWork(double[] work, double[] meanCosts) {
        double sum = DoubleStream.of(meanCosts).sum();
        return IntStream.range(0, work.length)
                .mapToDouble(c -> ((work[c] > 0 ? work[c] : meanCosts[c]) - waiting.of(c)) / sum)
                .toArray();
    }

    /** Adds this query to the trials of two choices: one by the predicted shares, one by the true shares. */
    private void test(double[] predicted, int[] order, double[] shares, double[] work, double[] meanCosts) {
        boolean isCalibrated = isCalibrated(Calibration.MOST_ERROR) && !hasShifted(USUAL_FLOOR, true);
        learnedChoices.add(
                order,
                predicted,
                share -> isCalibrated ? calibration.corrected(share) : 0,
                shares,
                work,
                calibrationFade);
        perfectChoices.add(
                HashedFeatures.order(shares, meanCosts), shares, share -> share, shares, work, calibrationFade);
    }

    /** Adds to {@link #broken} by how much choices for this query promised more than they keep. */
    private void watch(double[] predicted, int[] order, double[] shares) {
        if (!calibration.isKnown()) {
            return;
        }
        double expected = 0;
        double kept = 0;
        int watched = 0;
        for (int i = 0; i < order.length; i++) {
            expected += predicted[order[i]];
            kept += shares[order[i]];
            double promised = i == order.length - 1 ? 1 : calibration.corrected(expected);
            double more = promised - kept - Calibration.MOST_ERROR;
            for (; watched < WATCHED.length && promised >= WATCHED[watched]; watched++) {
                broken[watched] = Math.max(0, Math.min(MOST_BROKEN, broken[watched] + more));
            }
        }
    }

    /** Adds predicted and true quality of the choices for this query, from one asked component to all but one. */
    private void calibrate(double[] predicted, int[] order, double[] shares) {
        boolean isKnown = calibration.isKnown();
        calibration.fade(calibrationFade);
        promises.fade(calibrationFade);
        double expected = 0;
        double kept = 0;
        for (int i = 0; i < order.length - 1; i++) {
            expected += predicted[order[i]];
            kept += shares[order[i]];
            if (isKnown) {
                promises.add(calibration.corrected(expected), kept);
            }
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
                double weight = scale * weights[at + c] - rate * slope / Math.sqrt(FIRST_SQUARE + square);
                squares[at + c] = (float) (square / scale);
                weights[at + c] = (float) (Math.max(-MOST_WEIGHT, Math.min(MOST_WEIGHT, weight)) / scale);
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

    /** Mean work of each component; the mean over all components if a component's work is unknown. */
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

    /** Effort and quality that the learner's choices would have had, on queries before it learned from them. */
    public FanOutCurve curve() {
        return new FanOutCurve(
                learned,
                isCalibrated(Calibration.MOST_ERROR) && !hasShifted(USUAL_FLOOR, true),
                learnedChoices.floors(),
                perfectChoices.floors());
    }

    /**
     * Whether predictions were tested enough, and choices by them kept nearly the quality that they promised.
     *
     * @param mostError by which choices may promise more than they keep, 0..1
     */
    public boolean isCalibrated(double mostError) {
        return calibration.holds() && promises.holds(mostError);
    }

    /**
     * Whether the latest choices kept less than they promised. Then the contributions of components have shifted, and
     * the model has not learned it yet.
     *
     * @param floor quality that choices are expected to keep, 0..1
     * @param wasSettled false: a shift was noticed before, so a lower sum of broken promises still shows it
     */
    public boolean hasShifted(double floor, boolean wasSettled) {
        int watched = 0;
        while (watched < WATCHED.length - 1 && WATCHED[watched + 1] <= floor) {
            watched++;
        }
        return broken[watched] >= (wasSettled ? SHIFTED : SETTLED);
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
            Doubles.write(broken, out);
            out.writeDouble(confidence);
            out.writeDouble(confidenceSquares);
            Doubles.write(promises.counts(), out);
            Doubles.write(promises.predicted(), out);
            Doubles.write(promises.kept(), out);
            learnedChoices.writeWork(out);
            perfectChoices.writeWork(out);
            waiting.write(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return stored.toByteArray();
    }

    /** Reads {@link #toBytes}; empty if another version stored the bytes, so a new model has to begin. */
    public static Optional<ContributionLearner> ofBytes(byte[] stored) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(stored))) {
            byte version = in.readByte();
            if (version != STORED_VERSION) {
                return Optional.empty();
            }
            String service = in.readUTF();
            List<String> components = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                components.add(in.readUTF());
            }
            ContributionLearner learner = new ContributionLearner(service, components, in.readInt(), in.readDouble());
            learner.scale = in.readDouble();
            learner.learned = in.readLong();
            Doubles.read(learner.weights, in);
            Doubles.read(learner.squares, in);
            for (double[] values : learner.smallArrays()) {
                Doubles.read(values, in);
            }
            learner.learnedChoices.read(in);
            learner.perfectChoices.read(in);
            Doubles.read(learner.broken, in);
            learner.confidence = in.readDouble();
            learner.confidenceSquares = in.readDouble();
            Doubles.read(learner.promises.counts(), in);
            Doubles.read(learner.promises.predicted(), in);
            Doubles.read(learner.promises.kept(), in);
            learner.learnedChoices.readWork(in);
            learner.perfectChoices.readWork(in);
            learner.waiting.read(in);
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
                confidence * unit,
                table,
                calibration.copy());
    }
}
