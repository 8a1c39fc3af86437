package io.kipimo.harness.soak;

import io.kipimo.harness.oracle.ExpectedRow;
import io.kipimo.harness.oracle.QueryIdentity;
import io.kipimo.harness.oracle.RowAudit;
import io.kipimo.harness.oracle.SteadyTraffic;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.quality.QueryEvent;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Compares the job's output with what was sent, by the records of the topics alone. Every row is compared with the
 * oracle's. A repeated record, which at-least-once delivery allows after a kill, is neither lost nor wrong. Memory
 * grows by some bits for each query.
 */
final class Ledger {
    /** Number of newest rows that are kept for comparison with repeated ones. */
    private static final int KEPT_ROWS = 20_000;

    private static final int SHOWN = 5;

    private final Map<Integer, ExpectedRow> rows = new HashMap<>();

    /** Numbers of measured queries among {@link #rows}, oldest first. */
    private final Deque<Integer> kept = new ArrayDeque<>();

    private final BitSet expected = new BitSet();
    private final BitSet measured = new BitSet();

    /** Offsets of late events, by partition. */
    private final Map<List<Object>, BitSet> late = new HashMap<>();

    private final RowAudit audit = new RowAudit();
    private long repeated;
    private int shown;

    void expect(Map<Integer, ExpectedRow> newRows) {
        rows.putAll(newRows);
        newRows.keySet().forEach(expected::set);
    }

    void measured(Measurement row) {
        int number = SteadyTraffic.number(row.queryId());
        boolean isFirst = !measured.get(number);
        measured.set(number);
        if (isFirst) {
            kept.add(number);
        } else {
            repeated++;
        }
        Optional<ExpectedRow> wanted = Optional.ofNullable(rows.get(number));
        // The expected row of an old query is dropped. Its row was checked when it first arrived.
        if (wanted.isPresent() || isFirst) {
            List<String> wrong = audit.add(row, wanted);
            if (!wrong.isEmpty() && shown++ < SHOWN) {
                System.err.println(wrong + ": " + row);
            }
        }
        while (kept.size() > KEPT_ROWS) {
            ExpectedRow oldest = rows.remove(kept.remove());
            if (oldest != null) {
                audit.forget(QueryIdentity.of(oldest.measurement()));
            }
        }
    }

    void late(QueryEvent event) {
        late.computeIfAbsent(List.of(event.isAnswer(), event.partition()), partition -> new BitSet())
                .set((int) event.offset());
    }

    long queries() {
        return expected.cardinality();
    }

    long measuredQueries() {
        return measured.cardinality();
    }

    /** Number of queries without a row. */
    long lost() {
        BitSet missing = (BitSet) expected.clone();
        missing.andNot(measured);
        return missing.cardinality();
    }

    /** Number of rows that were repeated. */
    long repeated() {
        return repeated;
    }

    RowAudit.Findings findings() {
        return audit.findings();
    }

    /** Number of distinct events in the topics of late events. */
    long lateEvents() {
        return late.values().stream().mapToLong(BitSet::cardinality).sum();
    }
}
