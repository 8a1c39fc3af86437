package io.kipimo.core.admission;

import io.kipimo.schemas.quality.CostDecile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Deciles of the offered queries by predicted cost, and the mean work of their answers.
 *
 * <p>Admission within a bin is by a hash that does not depend on the cost, so the mean work of the bin's answers is
 * that of its queries. A decile weighs its bins by their offered queries, not by their answers. So its mean does not
 * depend on which of its bins were shed.
 */
public final class CostDeciles {
    private static final int DECILES = 10;

    private CostDeciles() {}

    /**
     * The deciles, ascending; at most ten, fewer if many queries share a bin.
     *
     * @param byBin tallies by bin of {@link CostBins}
     */
    public static List<CostDecile> of(Map<Integer, CostTally> byBin) {
        TreeMap<Integer, CostTally> ascending = new TreeMap<>(byBin);
        long left = ascending.values().stream().mapToLong(CostTally::weight).sum();
        double least = (double) left / DECILES;
        List<CostDecile> deciles = new ArrayList<>();
        Sums sums = new Sums();
        for (Map.Entry<Integer, CostTally> bin : ascending.entrySet()) {
            sums.add(bin.getValue());
            left -= bin.getValue().weight();
            // A rest that is no tenth belongs to the last decile.
            if (sums.weight > 0 && sums.weight >= least && (left == 0 || left >= least)) {
                deciles.add(sums.decile(CostBins.upTo(bin.getKey())));
                sums = new Sums();
            }
        }
        return deciles;
    }

    private static final class Sums {
        private long offered;
        private long answered;
        private double weight;
        private double answeredWeight;
        private double work;

        void add(CostTally tally) {
            offered += tally.offered();
            answered += tally.answered();
            weight += tally.weight();
            if (tally.answered() > 0) {
                answeredWeight += tally.weight();
                work += tally.weight() * ((double) tally.workMicros() / tally.answered());
            }
        }

        CostDecile decile(double upTo) {
            return new CostDecile(upTo, offered, answered, answeredWeight == 0 ? 0 : work / answeredWeight);
        }
    }
}
