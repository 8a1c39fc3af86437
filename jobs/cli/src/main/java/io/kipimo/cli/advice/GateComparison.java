package io.kipimo.cli.advice;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.schemas.quality.Variants;
import java.util.Optional;

/**
 * States which evidence the gate judges, and with which evidence it compares that.
 *
 * @param variant the variant of the class that is judged; empty: all answers of the class
 * @param against the variant to compare with, over the same time; empty: none
 * @param baseline the earlier time to compare with; empty: none
 */
record GateComparison(String variant, Optional<String> against, Optional<TimeRange> baseline) {
    /**
     * @param variant null: all answers of the class
     * @param against null: none
     * @param baseline the earlier time; empty: none
     * @throws InputException if the arguments contradict each other, or a name is not a valid variant
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

    /** Returns the evidence to judge. */
    GateInput candidate(GateSource source, TimeRange range) {
        return source.evidence(range, variant);
    }

    /** Returns the evidence to compare the candidate with; empty if the gate compares with nothing. */
    Optional<GateInput> baseline(GateSource source, TimeRange range) {
        return against.map(other -> source.evidence(range, other))
                .or(() -> baseline.map(before -> source.evidence(before, variant)));
    }
}
