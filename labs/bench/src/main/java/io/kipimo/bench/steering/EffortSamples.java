package io.kipimo.bench.steering;

import java.util.Arrays;
import java.util.List;

/**
 * What a service's answers were worth and cost by level. Half of the queries teach a choice, the others judge it.
 *
 * @param levels what each level sets; the first is the full one
 * @param counted what the service counts of its work on a query, a mean for each level
 * @param learned groups of queries, as a policy tells them apart
 * @param judged other queries of the same groups
 */
record EffortSamples(
        String service, List<String> levels, double[] counted, List<QueryGroup> learned, List<QueryGroup> judged) {

    /**
     * Queries of one group.
     *
     * @param quality share of the full level's answer that a query's answer at each level has, 0..1
     * @param cpuMicros mean processor time of a query at each level, of all the service's threads
     */
    record QueryGroup(double[][] quality, double[] cpuMicros) {
        int size() {
            return quality.length;
        }

        /** Mean over the queries. */
        double quality(int level) {
            return Arrays.stream(quality)
                    .mapToDouble(query -> query[level])
                    .average()
                    .orElseThrow();
        }

        /** Share of the queries whose answer is good, 0..1. */
        double good(int level, double good) {
            return (double) Arrays.stream(quality)
                            .filter(query -> query[level] >= good)
                            .count()
                    / quality.length;
        }
    }

    /** Share of the full answer's items that another answer has; 1 where the full one is empty. */
    static double share(List<String> full, List<String> answer) {
        return full.isEmpty()
                ? 1
                : (double) full.stream().filter(answer::contains).count() / full.size();
    }
}
