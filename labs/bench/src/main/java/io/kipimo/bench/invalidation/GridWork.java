package io.kipimo.bench.invalidation;

import io.kipimo.bench.report.Context;
import io.kipimo.bench.report.Table;
import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.core.invalidation.MatchingCell;
import io.kipimo.core.invalidation.Registration;
import io.kipimo.core.invalidation.filter.Grid;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * Measures the work of each subtask of matching on grids of several sizes. It counts the subtask's writes and queries
 * and measures its processor time. One thread works through the cells one after another, so the number of cores and
 * other load do not matter.
 */
final class GridWork {
    private static final List<Integer> SUBTASKS = List.of(1, 2, 4, 8, 16);
    private static final int BATCH = 1_000;
    private static final int ROUNDS = 4;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final PostWorkload workload;
    private final int inserts;

    private GridWork(PostWorkload workload, int inserts) {
        this.workload = workload;
        this.inserts = inserts;
    }

    /**
     * The work of a cell. For a grid, queries, writes and time are those of the busiest cell, and matches are the sum.
     */
    private record CellWork(int queries, int writes, long matches, double cpuMillis) {}

    static Table measure(Context context) {
        GridWork work = new GridWork(
                new PostWorkload(context.choose(1_000, 10_000, 10_000)), context.choose(2_000, 40_000, 120_000));
        Table table = new Table(
                String.format("Work of a subtask, %,d queries, %,d inserts", work.workload.queries(), work.inserts));
        var unused = work.best(new Grid(1, 1)); // For the compiler.
        CellWork one = work.best(new Grid(1, 1));
        for (int subtasks : SUBTASKS) {
            for (Grid grid :
                    subtasks == 1 ? List.of(new Grid(1, 1)) : List.of(new Grid(1, subtasks), new Grid(subtasks, 1))) {
                CellWork row = subtasks == 1 ? one : work.best(grid);
                table.row()
                        .cell("subtasks", subtasks)
                        .cell("rows", grid.rows())
                        .cell("columns", grid.columns())
                        .cell("most queries", row.queries)
                        .cell("most writes", row.writes)
                        .cell("share of the writes", (double) row.writes / work.inserts)
                        .cell("matches of all", row.matches)
                        .cell("most CPU ms", row.cpuMillis)
                        .cell("less CPU than one, times", one.cpuMillis / row.cpuMillis);
                context.say(
                        "%d subtasks in %d rows: at most %,d writes and %.1f ms",
                        subtasks, grid.rows(), row.writes, row.cpuMillis);
            }
        }
        return table;
    }

    /** The least work of several rounds. The JVM still compiles during the first rounds. */
    private CellWork best(Grid grid) {
        return IntStream.range(0, ROUNDS)
                .mapToObj(round -> row(grid))
                .min(Comparator.comparingDouble(CellWork::cpuMillis))
                .orElseThrow();
    }

    private CellWork row(Grid grid) {
        List<CellWork> all = new ArrayList<>();
        for (int column = 0; column < grid.columns(); column++) {
            for (int row = 0; row < grid.rows(); row++) {
                all.add(cell(grid, column, row));
            }
        }
        return new CellWork(
                all.stream().mapToInt(CellWork::queries).max().orElseThrow(),
                all.stream().mapToInt(CellWork::writes).max().orElseThrow(),
                all.stream().mapToLong(CellWork::matches).sum(),
                all.stream().mapToDouble(CellWork::cpuMillis).max().orElseThrow());
    }

    private CellWork cell(Grid grid, int column, int row) {
        MatchingCell cell = new MatchingCell(new MatchingCell.Retention(10_000, 10_000));
        int queries = 0;
        for (int i = 0; i < workload.queries(); i++) {
            Registration registration = workload.registration(i);
            if (grid.column(registration.key()) == column) {
                var unused = cell.register(registration, match -> {});
                queries++;
            }
        }
        IntPredicate own = workload.inRow(grid, row);
        int[] writes = IntStream.range(0, inserts).filter(own).toArray();
        AtomicLong matches = new AtomicLong();
        long nanos = 0;
        for (int from = 0; from < writes.length; from += BATCH) {
            List<AfterImage> batch = Arrays.stream(writes, from, Math.min(writes.length, from + BATCH))
                    .mapToObj(i -> workload.insert(i, i))
                    .toList();
            long before = THREADS.getCurrentThreadCpuTime();
            for (AfterImage insert : batch) {
                var unused = cell.apply(insert, match -> matches.incrementAndGet());
            }
            nanos += THREADS.getCurrentThreadCpuTime() - before;
        }
        return new CellWork(queries, writes.length, matches.get(), (double) nanos / TimeUnit.MILLISECONDS.toNanos(1));
    }
}
