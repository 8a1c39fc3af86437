package io.kipimo.schemas.codec;

import io.kipimo.schemas.quality.Items;
import io.kipimo.schemas.quality.ScoredIds;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Items in the bytes of a message that {@link EventScanner} has checked.
 *
 * @param size number of items
 * @param idsAt position of the packed numbers, or of the first field with a text
 * @param scoresAt position of the packed scores
 * @param textsEnd end of the last field with a text; 0: the identifiers are numbers
 */
record WireItems(byte[] wire, int size, int idsAt, int scoresAt, int textsEnd) implements ScoredIds {
    static final WireItems NONE = new WireItems(new byte[0], 0, 0, 0, 0);

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle FLOATS =
            MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

    boolean isTexts() {
        return textsEnd > 0;
    }

    @Override
    public long id(int place) {
        return (long) LONGS.get(wire, idsAt + place * Long.BYTES);
    }

    @Override
    public float score(int place) {
        return (float) FLOATS.get(wire, scoresAt + place * Float.BYTES);
    }

    /** Copies the items. */
    Items toItems() {
        if (size == 0) {
            return Items.NONE;
        }
        float[] scores = new float[size];
        for (int i = 0; i < size; i++) {
            scores[i] = score(i);
        }
        if (isTexts()) {
            return Items.ofTexts(texts(), scores);
        }
        long[] numbers = new long[size];
        for (int i = 0; i < size; i++) {
            numbers[i] = id(i);
        }
        return Items.ofNumbers(numbers, scores);
    }

    private String[] texts() {
        String[] texts = new String[size];
        WireReader reader = new WireReader(wire, idsAt, textsEnd);
        int found = 0;
        while (reader.hasMore()) {
            int tag = reader.tag();
            if (tag == EventScanner.ITEMS_TEXTS) {
                int length = reader.length();
                texts[found++] = new String(wire, reader.position(), length, StandardCharsets.UTF_8);
                reader.skip(length);
            } else {
                reader.skipField(tag);
            }
        }
        return texts;
    }
}
