package io.kipimo.core.quality.fanout.model;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Writes and reads arrays of numbers without their lengths, which the reader knows. */
final class Doubles {
    private Doubles() {}

    static void write(double[] values, DataOutput out) throws IOException {
        for (double value : values) {
            out.writeDouble(value);
        }
    }

    static void read(double[] values, DataInput in) throws IOException {
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readDouble();
        }
    }

    static void write(float[] values, DataOutput out) throws IOException {
        for (float value : values) {
            out.writeFloat(value);
        }
    }

    static void read(float[] values, DataInput in) throws IOException {
        for (int i = 0; i < values.length; i++) {
            values[i] = in.readFloat();
        }
    }
}
