package io.kipimo.schemas.quality;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;

/**
 * Hashes of facts that a front end knows of a query before it asks components: its terms, its type, anything that may
 * tell which components contribute. They never contain the text itself. Immutable.
 */
public final class Features {
    /** Greatest number of features of a query; {@link #of} drops further ones. */
    public static final int MOST = 64;

    public static final Features NONE = new Features(new long[0], 0);

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final long[] hashes;
    private final int cut;

    private Features(long[] hashes, int cut) {
        this.hashes = hashes;
        this.cut = cut;
    }

    /** The first 64 hashes. */
    public static Features of(long... hashes) {
        return hashes.length == 0
                ? NONE
                : new Features(Arrays.copyOf(hashes, Math.min(MOST, hashes.length)), Math.max(0, hashes.length - MOST));
    }

    /** The 64-bit FNV-1a hashes of texts in UTF-8, such as a query's terms. */
    public static Features ofTexts(Collection<String> texts) {
        return of(texts.stream().mapToLong(Features::hash).toArray());
    }

    private static long hash(String text) {
        long hash = FNV_OFFSET;
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        return hash;
    }

    /** A copy of the hashes. */
    public long[] hashes() {
        return hashes.clone();
    }

    public int size() {
        return hashes.length;
    }

    public boolean isEmpty() {
        return hashes.length == 0;
    }

    /** Number of hashes that were cut. */
    public int cut() {
        return cut;
    }

    /** Whether the hashes are equal; the number of cut hashes does not count. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Features features && Arrays.equals(hashes, features.hashes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(hashes);
    }

    @Override
    public String toString() {
        return Arrays.toString(hashes);
    }
}
