package io.kipimo.core;

import java.util.Arrays;
import java.util.stream.Stream;

/** How much a test tries: a little in every build, all of it with {@code -Pfull}. */
public final class Effort {
    private static final boolean IS_FULL = Boolean.getBoolean("kipimo.full");

    private Effort() {}

    /** How much further than after all tries a share may be from what is expected. */
    public static double slack(double share) {
        return IS_FULL ? 0 : share;
    }

    /** The number of seeds, runs or values. */
    public static int of(int little, int all) {
        return IS_FULL ? all : little;
    }

    /** The first of all, in their order. */
    @SafeVarargs
    @SuppressWarnings("varargs")
    public static <T> Stream<T> first(int little, T... all) {
        return Arrays.stream(all).limit(of(little, all.length));
    }
}
