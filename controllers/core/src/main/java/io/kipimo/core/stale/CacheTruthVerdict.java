package io.kipimo.core.stale;

import io.kipimo.core.quality.window.Verdict;
import io.kipimo.schemas.caching.CacheLink;
import io.kipimo.schemas.caching.LinkTruth;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Verdict on one link by its probes.
 *
 * @param verdict WRONG if a read was stale, FINE if none was; UNKNOWN without a recent proof
 * @param nines number of nines of the share of fresh reads, as far as the number of proofs can show it; empty: unknown
 */
public record CacheTruthVerdict(Verdict verdict, Optional<Integer> nines) {
    /** Proofs that are older than this say nothing about the present. */
    static final long OLD_MILLIS = 900_000;

    /** Quantile of the normal distribution for a two-sided interval of 95 %. */
    private static final double Z = 1.959964;

    public static CacheTruthVerdict of(LinkTruth link, long nowMillis) {
        long proofs = link.fresh() + link.stale();
        if (proofs == 0 || nowMillis - link.provenMillis() > OLD_MILLIS) {
            return new CacheTruthVerdict(Verdict.UNKNOWN, Optional.empty());
        }
        return new CacheTruthVerdict(
                link.stale() > 0 ? Verdict.WRONG : Verdict.FINE, Optional.of(nines(link.stale(), proofs)));
    }

    /**
     * Returns the link to blame: of the links that lost something, the one that lost it within the longest bound. Of
     * several such links, it is the one that lost the most. Empty if no link lost anything.
     */
    public static Optional<CacheLink> loser(List<LinkTruth> links) {
        return links.stream()
                .filter(link -> link.lost() > 0)
                .max(Comparator.comparingLong(LinkTruth::withinMillis).thenComparingLong(LinkTruth::lost))
                .map(LinkTruth::link);
    }

    /** Computes the nines from the upper end of Wilson's interval of the stale share, so few reads show few nines. */
    private static int nines(long stale, long proofs) {
        double share = (double) stale / proofs;
        double square = Z * Z / proofs;
        double high =
                (share + square / 2 + Z * Math.sqrt(share * (1 - share) / proofs + square / 4 / proofs)) / (1 + square);
        return (int) Math.floor(-Math.log10(high));
    }
}
