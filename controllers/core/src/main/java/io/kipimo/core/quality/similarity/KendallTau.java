package io.kipimo.core.quality.similarity;

/**
 * {@code 1 - K / Kmax}, where K is Kendall's tau distance of two top-k lists with penalty 1/2 (Fagin, Kumar and
 * Sivakumar, "Comparing Top k Lists", 2003, sec. 3.1). K sums over all pairs of items of both lists: 1 for a pair in
 * opposite order, where an item that a list lacks is behind all of its items; 1/2 for a pair that only one list has,
 * whose order in the other is unknown. Kmax is K of disjoint lists of these sizes, the maximum. So the value is 1 for
 * the same ranking, 0 for lists without a common item, and about 2/3 for the same items in reverse: the function
 * depends on both membership and order.
 */
record KendallTau(String name, int k) implements Similarity {
    @Override
    public double of(Ranking online, Ranking mature) {
        int onlineSize = Math.min(k, online.size());
        int matureSize = Math.min(k, mature.size());
        int[] sharedRanks = new int[onlineSize];
        int shared = 0;
        double distance = 0;
        // A shared item behind an item that only its list has: opposite order.
        for (int rank = 0; rank < onlineSize; rank++) {
            int matureRank = mature.rankOf(online.id(rank));
            if (matureRank >= 0 && matureRank < k) {
                distance += rank - shared;
                sharedRanks[shared++] = matureRank;
            }
        }
        int sharedBefore = 0;
        for (int rank = 0; rank < matureSize; rank++) {
            if (online.hasInTop(mature.id(rank), k)) {
                distance += rank - sharedBefore;
                sharedBefore++;
            }
        }
        distance += inversions(sharedRanks, shared);
        double onlineOnly = onlineSize - shared;
        double matureOnly = matureSize - shared;
        distance += onlineOnly * matureOnly + (pairs(onlineOnly) + pairs(matureOnly)) / 2;
        double most = (double) onlineSize * matureSize + (pairs(onlineSize) + pairs(matureSize)) / 2;
        return 1 - distance / most;
    }

    private static double pairs(double size) {
        return size * (size - 1) / 2;
    }

    /** Pairs out of order, by bottom-up merge sort, since an answer may have 10,000 items. */
    private static long inversions(int[] values, int size) {
        long inversions = 0;
        int[] from = values;
        int[] to = new int[size];
        for (int width = 1; width < size; width *= 2) {
            for (int start = 0; start < size; start += 2 * width) {
                int middle = Math.min(size, start + width);
                int end = Math.min(size, start + 2 * width);
                int left = start;
                int right = middle;
                for (int i = start; i < end; i++) {
                    if (left < middle && (right >= end || from[left] <= from[right])) {
                        to[i] = from[left++];
                    } else {
                        inversions += middle - left;
                        to[i] = from[right++];
                    }
                }
            }
            int[] swap = from;
            from = to;
            to = swap;
        }
        return inversions;
    }
}
