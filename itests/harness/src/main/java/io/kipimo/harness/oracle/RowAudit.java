package io.kipimo.harness.oracle;

import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.quality.Completeness;
import io.kipimo.schemas.quality.ComponentShare;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.Score;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Checks rows as they arrive and counts violations of their contract. */
public final class RowAudit {
    private static final double TOLERANCE = 1e-9;

    private final Map<QueryIdentity, Measurement> first = new HashMap<>();
    private final Set<QueryIdentity> repeated = new HashSet<>();
    private final Set<QueryIdentity> changed = new HashSet<>();
    private final Set<QueryIdentity> contradicting = new HashSet<>();
    private long differing;
    private long healthy;
    private long unattributed;
    private long bounded;
    private long below;
    private long above;
    private long raised;

    /**
     * Counts of violations.
     *
     * @param differing rows that differ from the oracle's
     * @param repeated queries with an identical second row, as at-least-once delivery allows
     * @param changed queries with two rows of different content
     * @param contradicting queries of {@code changed} whose two rows cannot both be true
     * @param healthy EXPIRED rows whose interval has the low end 1, although the truth is lower or unknown
     * @param unattributed rows whose attribution does not sum to 1 - deliberate loss - quality, to 1e-9
     * @param bounded queries whose EXPIRED row has a low end above 0, and whose true quality is known
     * @param below bounded queries whose true quality is below the interval; the docs promise at most one in twenty
     * @param above EXPIRED rows whose interval is below the true quality, without the {@code raised} ones
     * @param raised further such rows, which are allowed: a lost result had an item of the answer with a better score
     */
    public record Findings(
            long differing,
            long repeated,
            long changed,
            long contradicting,
            long healthy,
            long unattributed,
            long bounded,
            long below,
            long above,
            long raised) {
        private static final double MISSED = 0.05;
        private static final double DEVIATIONS = 4;

        /** Returns whether there is no violation. */
        public boolean isRight() {
            return differing == 0
                    && changed == 0
                    && contradicting == 0
                    && healthy == 0
                    && unattributed == 0
                    && above == 0
                    && isCovered();
        }

        /**
         * Returns whether the number of rows with a truth below their interval can be explained by chance: it is within
         * four standard deviations.
         */
        boolean isCovered() {
            return below <= MISSED * bounded + DEVIATIONS * Math.sqrt(bounded * MISSED * (1 - MISSED));
        }

        /** The counts as text, one line for each. */
        public String report() {
            return String.format(
                    Locale.ROOT,
                    """
                    queries with rows that contradict each other: %d
                    queries with two rows of different content: %d (with the same row again: %d)
                    EXPIRED rows that claim quality 1 at their low end: %d
                    rows whose attribution does not sum to 1 - quality: %d
                    rows unlike the oracle's: %d
                    EXPIRED rows with a bound and a known truth: %d; truth below: %d (%.2f %%)
                    EXPIRED rows with the truth above: %d (by a better score of an item of the answer: %d)
                    """,
                    contradicting,
                    changed,
                    repeated,
                    healthy,
                    unattributed,
                    differing,
                    bounded,
                    below,
                    bounded == 0 ? 0 : 100.0 * below / bounded,
                    above,
                    raised);
        }
    }

    /**
     * Checks a row.
     *
     * @param expected empty: no row was expected of the query
     * @return the differences; empty if the row is right
     */
    public List<String> add(Measurement row, Optional<ExpectedRow> expected) {
        List<String> wrong =
                new ArrayList<>(expected.map(e -> e.differences(row)).orElse(List.of("no row was expected")));
        differing += wrong.isEmpty() ? 0 : 1;
        Measurement former = first.putIfAbsent(QueryIdentity.of(row), row);
        if (former != null && !isSame(former, row)) {
            wrong.add("there was another row: " + former);
        }
        if (row.completeness().hasQuality() && !isAttributed(row)) {
            unattributed++;
            wrong.add("attribution does not sum to 1 - quality");
        }
        if (row.completeness() == Completeness.EXPIRED) {
            OptionalDouble truth = expected.map(ExpectedRow::truth).orElse(OptionalDouble.empty());
            boolean isRaised = expected.map(ExpectedRow::isRaised).orElse(false);
            if (!isPossible(row.scores().get(0), truth, isRaised, former == null)) {
                wrong.add("the true quality is " + truth);
            }
        }
        return wrong;
    }

    /** Forgets a query. A later row of it counts as a first one. */
    public void forget(QueryIdentity query) {
        first.remove(query);
        repeated.remove(query);
    }

    public Findings findings() {
        return new Findings(
                differing,
                repeated.size(),
                changed.size(),
                contradicting.size(),
                healthy,
                unattributed,
                bounded,
                below,
                above,
                raised);
    }

    private boolean isSame(Measurement former, Measurement row) {
        QueryIdentity query = QueryIdentity.of(row);
        if (Arrays.equals(Codecs.MEASUREMENT.encode(former), Codecs.MEASUREMENT.encode(row))) {
            repeated.add(query);
            return true;
        }
        changed.add(query);
        boolean compatible = former.withScores(List.of()).equals(row.withScores(List.of()));
        for (int i = 0; compatible && i < row.scores().size(); i++) {
            compatible = i < former.scores().size()
                    && row.scores().get(i).low() <= former.scores().get(i).high()
                    && former.scores().get(i).low() <= row.scores().get(i).high();
        }
        if (!compatible) {
            contradicting.add(query);
        }
        return false;
    }

    private static boolean isAttributed(Measurement row) {
        if (row.components().isEmpty()) {
            // A replay measures an answer that names no component, so no component can take the
            // loss.
            return true;
        }
        double lost = row.components().stream()
                .mapToDouble(ComponentShare::lostQuality)
                .sum();
        double late = 1 - row.notAskedLoss().orElse(0.0) - row.scores().get(0).high();
        return Math.abs(lost - late) <= TOLERANCE;
    }

    /**
     * Returns whether an EXPIRED row's interval agrees with the truth, and counts. A truth below the interval is only
     * counted, because a few rows may have one.
     */
    private boolean isPossible(Score score, OptionalDouble truth, boolean isRaised, boolean isFirst) {
        boolean isHealthy = score.low() > 1 - TOLERANCE && truth.orElse(0) < 1 - TOLERANCE;
        healthy += isHealthy ? 1 : 0;
        if (truth.isEmpty()) {
            return !isHealthy;
        }
        boolean isAbove = truth.getAsDouble() > score.high() + TOLERANCE;
        above += isAbove && !isRaised ? 1 : 0;
        raised += isAbove && isRaised ? 1 : 0;
        if (isFirst && score.low() > 0) {
            bounded++;
            below += truth.getAsDouble() < score.low() - TOLERANCE ? 1 : 0;
        }
        return !isHealthy && (!isAbove || isRaised);
    }
}
