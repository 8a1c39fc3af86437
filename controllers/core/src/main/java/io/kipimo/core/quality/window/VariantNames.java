package io.kipimo.core.quality.window;

import io.kipimo.schemas.quality.Variants;
import java.util.Set;

/** Chooses the names under which the variants of one class count. Events may contain any name, so few are kept. */
public final class VariantNames {
    private VariantNames() {}

    /**
     * The name under which a variant counts: its own, or {@link Variants#OTHER} if {@link Variants#MOST} others have
     * windows already.
     *
     * @param open variants that have windows, {@link Variants#OTHER} included
     */
    public static String fold(Set<String> open, String variant) {
        long named = open.stream().filter(name -> !name.equals(Variants.OTHER)).count();
        return open.contains(variant) || named < Variants.MOST ? variant : Variants.OTHER;
    }
}
