package io.kipimo.bench.steering;

import io.kipimo.examples.search.index.Hits;
import io.kipimo.examples.search.index.Partition;
import io.kipimo.examples.search.index.PartitionedIndex;
import io.kipimo.examples.search.index.QueryLanguage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A query that all partitions searched to the end.
 *
 * @param ids of the full answer, best first
 * @param contributions items of the full answer from each partition
 * @param cpuMicros processor time of each partition, above 0
 */
record FullSearch(long[] ids, double[] contributions, double[] cpuMicros) {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Searches all partitions, one after the other on this thread. */
    static FullSearch of(PartitionedIndex index, String text, int topK) {
        List<Partition> partitions = index.partitions();
        Hits[] parts = new Hits[partitions.size()];
        double[] cpuMicros = new double[parts.length];
        try {
            for (int p = 0; p < parts.length; p++) {
                long startNanos = THREADS.getCurrentThreadCpuTime();
                parts[p] = partitions
                        .get(p)
                        .search(new QueryLanguage().parse(text), topK, Partition.Cut.NEVER)
                        .hits();
                cpuMicros[p] = Math.max(1, (THREADS.getCurrentThreadCpuTime() - startNanos) / 1e3);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("an index in memory failed", e);
        }
        Hits merged = Hits.merge(List.of(parts), topK);
        Set<Long> ids = Arrays.stream(merged.ids()).boxed().collect(Collectors.toSet());
        double[] contributions = new double[parts.length];
        for (int p = 0; p < parts.length; p++) {
            contributions[p] =
                    Arrays.stream(parts[p].ids()).filter(ids::contains).count();
        }
        return new FullSearch(merged.ids(), contributions, cpuMicros);
    }
}
