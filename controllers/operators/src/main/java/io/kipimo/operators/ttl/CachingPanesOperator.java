package io.kipimo.operators.ttl;

import io.kipimo.core.ttl.BoundedNames;
import io.kipimo.core.ttl.CachingPane;
import io.kipimo.operators.isolation.Isolation;
import java.io.Serializable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Adds up events in the subtask that reads them, before they are shuffled, so that the traffic of a table does not go
 * to a single subtask. It emits its sums before each watermark, before each checkpoint and at the end of the input, so
 * it has no state. Tables and services beyond the bound of {@link BoundedNames} count as {@link BoundedNames#OTHER};
 * counter {@code kipimo.tooManyNames} counts their events.
 *
 * @param <T> type of the events
 */
final class CachingPanesOperator<T> extends AbstractStreamOperator<TablePane>
        implements OneInputStreamOperator<T, TablePane> {
    /** Number of panes, one for each table and window, at which all are emitted at once. */
    private static final int MOST_PANES = 256;

    /** Bound on services, and on tables of a service, so that names in the data cannot fill windows and state. */
    static final int MOST_NAMES = 1_000;

    /** Reads a field of an event. */
    interface Field<T, R> extends Function<T, R>, Serializable {}

    /** Adds an event to the sums of its table. */
    interface Sum<T> extends BiConsumer<CachingPane, T>, Serializable {}

    /** Reads the fields of one kind of events and counts the events. */
    record PaneReader<T>(Field<T, String> service, Field<T, String> table, Field<T, Long> atMillis, Sum<T> sum)
            implements Serializable {}

    private record TablePlace(String service, String table, long startMillis) {}

    private final PaneReader<T> reader;
    private final long windowMillis;
    private transient Map<TablePlace, CachingPane> panes;
    private transient BoundedNames services;
    private transient Map<String, BoundedNames> tables;
    private transient Counter tooManyNames;
    private transient Isolation isolation;

    CachingPanesOperator(PaneReader<T> reader, long windowMillis) {
        this.reader = reader;
        this.windowMillis = windowMillis;
    }

    @Override
    public void open() throws Exception {
        super.open();
        isolation = new Isolation(getMetricGroup());
        panes = new LinkedHashMap<>();
        services = new BoundedNames(MOST_NAMES);
        tables = new HashMap<>();
        tooManyNames = getMetricGroup().addGroup(TtlMetrics.GROUP).counter(TtlMetrics.TOO_MANY_NAMES);
    }

    @Override
    public void processElement(StreamRecord<T> element) throws Exception {
        T event = element.getValue();
        isolation.run(reader.service().apply(event), () -> add(event));
    }

    private void add(T event) {
        long start = Math.floorDiv(reader.atMillis().apply(event), windowMillis) * windowMillis;
        TablePlace place = place(reader.service().apply(event), reader.table().apply(event), start);
        reader.sum().accept(panes.computeIfAbsent(place, p -> new CachingPane()), event);
        if (panes.size() >= MOST_PANES) {
            emitSums();
        }
    }

    private TablePlace place(String service, String table, long startMillis) {
        String keptService = services.fold(service, startMillis);
        String keptTable = tables.computeIfAbsent(keptService, s -> new BoundedNames(MOST_NAMES))
                .fold(table, startMillis);
        if (!keptService.equals(service) || !keptTable.equals(table)) {
            tooManyNames.inc();
        }
        return new TablePlace(keptService, keptTable, startMillis);
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        emitSums();
        super.processWatermark(mark);
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        emitSums();
    }

    @Override
    public void finish() throws Exception {
        emitSums();
        super.finish();
    }

    private void emitSums() {
        panes.forEach((place, pane) -> output.collect(
                new StreamRecord<>(new TablePane(place.service(), place.table(), place.startMillis(), pane))));
        panes.clear();
    }
}
