package io.kipimo.core.replication;

import io.kipimo.core.tails.LatencySketch;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Encodes the state for checkpoints: some ten kilobytes, mostly sketches. */
final class ReplicatorStateCodec {
    private static final int VERSION = 3;

    private static final int FIRST_VERSION = 1;

    /** Lists are short, so a greater length means damaged bytes. */
    private static final int MOST_ELEMENTS = 100_000;

    private ReplicatorStateCodec() {}

    static byte[] write(ReplicatorState state) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(8_192);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.writeLong(state.epoch());
            out.writeLong(state.sequence());
            ints(out, state.inForce().values());
            ints(out, state.search().current().values());
            out.writeInt(state.search().removed().size());
            for (FactorSearch.Ray ray : state.search().removed()) {
                ints(out, ray.from().values());
                out.writeInt(ray.tier());
            }
            ints(out, state.toLower());
            out.writeBoolean(state.trial().isPresent());
            if (state.trial().isPresent()) {
                trial(out, state.trial().get());
            }
            measured(out, state.baseline());
            conditions(out, state.smoothed());
            doubles(out, state.fanOut());
            conditions(out, state.reference());
            out.writeBoolean(state.modelRefuted());
            out.writeBoolean(state.ended());
            out.writeLong(state.changedAtMillis());
            out.writeLong(state.lastWindowMillis());
            out.writeLong(state.trials());
            out.writeLong(state.decidedAtMillis());
            doubles(out, state.trust());
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    static ReplicatorState read(byte[] bytes) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            int version = in.readByte();
            if (version < FIRST_VERSION || version > VERSION) {
                throw new IllegalArgumentException(
                        "replicator's state has version "
                                + version
                                + "; allowed: "
                                + FIRST_VERSION
                                + ".."
                                + VERSION);
            }
            return ReplicatorStateBuilder.builder()
                    .epoch(in.readLong())
                    .sequence(in.readLong())
                    .inForce(new Factors(ints(in)))
                    .search(search(in))
                    .toLower(ints(in))
                    .trial(in.readBoolean() ? Optional.of(trial(in)) : Optional.empty())
                    .baseline(measured(in))
                    .smoothed(conditions(in, version))
                    .fanOut(doubles(in))
                    .reference(conditions(in, version))
                    .modelRefuted(in.readBoolean())
                    .ended(in.readBoolean())
                    .changedAtMillis(in.readLong())
                    .lastWindowMillis(in.readLong())
                    .trials(in.readLong())
                    .decidedAtMillis(version == FIRST_VERSION ? 0 : in.readLong())
                    .trust(version == FIRST_VERSION ? List.of() : doubles(in))
                    .build();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "replicator's state of " + bytes.length + " bytes cannot be read: " + e, e);
        }
    }

    private static void trial(DataOutputStream out, FactorTrial trial) throws IOException {
        ints(out, trial.from().values());
        ints(out, trial.to().values());
        out.writeLong(trial.startedMillis());
        measured(out, trial.measured());
        out.writeBoolean(trial.predictedMicros().isPresent());
        out.writeDouble(trial.predictedMicros().orElse(0));
    }

    private static FactorTrial trial(DataInputStream in) throws IOException {
        Factors from = new Factors(ints(in));
        Factors to = new Factors(ints(in));
        long startedMillis = in.readLong();
        MeasuredFactors measured = measured(in);
        boolean predicted = in.readBoolean();
        double micros = in.readDouble();
        return new FactorTrial(
                from,
                to,
                startedMillis,
                measured,
                predicted ? OptionalDouble.of(micros) : OptionalDouble.empty());
    }

    private static FactorSearch search(DataInputStream in) throws IOException {
        Factors current = new Factors(ints(in));
        List<FactorSearch.Ray> removed = new ArrayList<>();
        for (int left = length(in); left > 0; left--) {
            removed.add(new FactorSearch.Ray(new Factors(ints(in)), in.readInt()));
        }
        return new FactorSearch(current, removed);
    }

    private static void measured(DataOutputStream out, MeasuredFactors measured)
            throws IOException {
        sketches(out, measured.requestLatency());
        sketches(out, measured.copyLatency());
        sketches(out, List.of(measured.open()));
        out.writeLong(measured.openMillis());
        out.writeInt(measured.batches());
        out.writeDouble(measured.sum());
        out.writeDouble(measured.squares());
        out.writeLong(measured.millis());
    }

    private static MeasuredFactors measured(DataInputStream in) throws IOException {
        return new MeasuredFactors(
                sketches(in),
                sketches(in),
                sketches(in).get(0),
                in.readLong(),
                in.readInt(),
                in.readDouble(),
                in.readDouble(),
                in.readLong());
    }

    private static void conditions(DataOutputStream out, Optional<Conditions> conditions)
            throws IOException {
        out.writeBoolean(conditions.isPresent());
        if (conditions.isPresent()) {
            out.writeDouble(conditions.get().requestsPerSecond());
            doubles(out, conditions.get().demandMicros());
            doubles(out, conditions.get().variability());
            out.writeLong(conditions.get().settledMillis());
        }
    }

    private static Optional<Conditions> conditions(DataInputStream in, int version)
            throws IOException {
        if (!in.readBoolean()) {
            return Optional.empty();
        }
        return Optional.of(
                new Conditions(
                        in.readDouble(),
                        version < VERSION ? List.of() : doubles(in),
                        doubles(in),
                        in.readLong()));
    }

    private static void doubles(DataOutputStream out, List<Double> values) throws IOException {
        out.writeInt(values.size());
        for (double value : values) {
            out.writeDouble(value);
        }
    }

    private static List<Double> doubles(DataInputStream in) throws IOException {
        List<Double> values = new ArrayList<>();
        for (int left = length(in); left > 0; left--) {
            values.add(in.readDouble());
        }
        return List.copyOf(values);
    }

    private static void sketches(DataOutputStream out, List<LatencySketch> sketches)
            throws IOException {
        out.writeInt(sketches.size());
        for (LatencySketch sketch : sketches) {
            byte[] bytes = sketch.toBytes();
            out.writeInt(bytes.length);
            out.write(bytes);
        }
    }

    private static List<LatencySketch> sketches(DataInputStream in) throws IOException {
        List<LatencySketch> sketches = new ArrayList<>();
        for (int left = length(in); left > 0; left--) {
            sketches.add(LatencySketch.fromBytes(in.readNBytes(length(in))));
        }
        return List.copyOf(sketches);
    }

    private static void ints(DataOutputStream out, List<Integer> values) throws IOException {
        out.writeInt(values.size());
        for (int value : values) {
            out.writeInt(value);
        }
    }

    private static List<Integer> ints(DataInputStream in) throws IOException {
        List<Integer> values = new ArrayList<>();
        for (int left = length(in); left > 0; left--) {
            values.add(in.readInt());
        }
        return List.copyOf(values);
    }

    private static int length(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > MOST_ELEMENTS) {
            throw new IOException("a list has " + length + " elements");
        }
        return length;
    }
}
