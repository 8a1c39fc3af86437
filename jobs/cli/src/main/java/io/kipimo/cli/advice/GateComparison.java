package io.kipimo.cli.advice;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.schemas.quality.Variants;
import java.util.Optional;

/**
 * What the gate judges, and what it compares that with.
 *
 * @param variant the variant of the class that is judged; empty: all its answers
 * @param against the variant that it is compared with, over the same time; empty: none
 * @param baseline the earlier time that it is compared with; empty: none
 */
record GateComparison(String variant, Optional<String> against, Optional<TimeRange> baseline) {
    /**
     * @param variant null: all answers of the class
     * @param against null: none
     * @param baseline the earlier time; empty: none
     * @throws InputException if they contradict each other
     */
    static GateComparison of(String variant, String against, Optional<TimeRange> baseline) {
        InputException.throwIf(against != null && variant == null, "--against needs --variant; allowed: two variants");
        InputException.throwIf(
                against != null && baseline.isPresent(),
                "--against and --baseline-from are given; allowed: one of them");
        for (String name : new String[] {variant, against}) {
            InputException.throwIf(
                    name != null && (name.isBlank() || name.indexOf('/') >= 0),
                    "a variant is '" + name + "'; allowed: a name without '/'");
        }
        InputException.throwIf(
                against != null && against.equals(variant),
                "--variant and --against are both '" + variant + "'; allowed: two variants");
        return new GateComparison(variant == null ? Variants.NONE : variant, Optional.ofNullable(against), baseline);
    }

    /** Evidence on what is judged. */
    GateInput candidate(GateSource source, TimeRange range) {
        return source.evidence(range, variant);
    }

    /** Evidence on what it is compared with; empty: nothing. */
    Optional<GateInput> baseline(GateSource source, TimeRange range) {
        return against.map(other -> source.evidence(range, other))
                .or(() -> baseline.map(before -> source.evidence(before, variant)));
    }
}
