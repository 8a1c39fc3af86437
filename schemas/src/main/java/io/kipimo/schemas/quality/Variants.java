package io.kipimo.schemas.quality;

/** Names of variants: releases and experiment arms that answer the queries of one class. */
public final class Variants {
    /** The variant of answers that name none. */
    public static final String NONE = "";

    /** Collective name of the variants beyond {@link #MOST}. */
    public static final String OTHER = "other";

    /** Limit of variants of a class that are counted by name; further ones count as {@link #OTHER}. */
    public static final int MOST = 8;

    private Variants() {}
}
