package io.kipimo.schemas.codec;

import java.util.Arrays;

/**
 * A table of checked names by their UTF-8 bytes. All events share few names, so most names are neither checked nor
 * created again. The table keeps the first {@value #MOST_NAMES} names; further names are checked and created each time.
 */
final class NameTable {
    private static final int MOST_NAMES = 4096;
    private static final int SLOTS = 4 * MOST_NAMES;

    private final byte[][] encoded = new byte[SLOTS][];
    private final String[] names = new String[SLOTS];
    private int size;

    /** Returns the name; null if the bytes are not UTF-8 or {@link Checks#name} refuses it. */
    String name(byte[] bytes, int start, int length) {
        int hash = 1;
        for (int i = start; i < start + length; i++) {
            hash = 31 * hash + bytes[i];
        }
        int slot = (hash * 0x9E3779B9) >>> 16 & SLOTS - 1;
        while (encoded[slot] != null) {
            if (Arrays.equals(encoded[slot], 0, encoded[slot].length, bytes, start, start + length)) {
                return names[slot];
            }
            slot = (slot + 1) & (SLOTS - 1);
        }
        String name = checked(bytes, start, length);
        if (name != null && size < MOST_NAMES) {
            encoded[slot] = Arrays.copyOfRange(bytes, start, start + length);
            names[slot] = name;
            size++;
        }
        return name;
    }

    private static String checked(byte[] bytes, int start, int length) {
        String name = Texts.decode(bytes, start, length);
        try {
            return name == null ? null : Checks.name("name", name);
        } catch (InvalidRecordException e) {
            return null;
        }
    }
}
