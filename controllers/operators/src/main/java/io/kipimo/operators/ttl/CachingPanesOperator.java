package io.kipimo.operators.ttl;

import io.kipimo.core.ttl.BoundedNames;
import io.kipimo.core.ttl.CachingPane;
import java.io.Serializable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Adds up where records are read, before they are shuffled, so that one table's traffic does not
 * all go to one subtask. What it holds goes on before a watermark, a checkpoint or the end does, so
 * it has no state. Tables and services beyond {@link BoundedNames} are one, {@link
 * BoundedNames#OTHER}; counter {@code kipimo.tooManyNames} has their events.
 *
 * @param <T> what happened
 */
final class CachingPanesOperator<T> extends AbstractStreamOperator<TablePane>
        implements OneInputStreamOperator<T, TablePane> {
    private static final long serialVersionUID = 1L;

    /** Tables and windows; more go on at once. */
    private static final int MOST_PANES = 256;

    /** Of services, and of tables of one: a name in the data must not fill windows and state. */
    static final int MOST_NAMES = 1_000;

    /** How something is counted. */
    interface Reader<T> extends Serializable {
        String service(T event);

        String table(T event);

        long atMillis(T event);

        void add(T event, CachingPane pane);
    }

    private record Place(String service, String table, long startMillis) {}

    private final Reader<T> reader;
    private final long windowMillis;
    private transient Map<Place, CachingPane> panes;
    private transient BoundedNames services;
    private transient Map<String, BoundedNames> tables;
    private transient Counter tooManyNames;

    CachingPanesOperator(Reader<T> reader, long windowMillis) {
        this.reader = reader;
        this.windowMillis = windowMillis;
    }

    @Override
    public void open() throws Exception {
        super.open();
        panes = new LinkedHashMap<>();
        services = new BoundedNames(MOST_NAMES);
        tables = new HashMap<>();
        tooManyNames =
                getMetricGroup().addGroup(TtlMetrics.GROUP).counter(TtlMetrics.TOO_MANY_NAMES);
    }

    @Override
    public void processElement(StreamRecord<T> element) {
        T event = element.getValue();
        long start = Math.floorDiv(reader.atMillis(event), windowMillis) * windowMillis;
        Place place = place(reader.service(event), reader.table(event), start);
        reader.add(event, panes.computeIfAbsent(place, p -> new CachingPane()));
        if (panes.size() >= MOST_PANES) {
            sendOn();
        }
    }

    private Place place(String service, String table, long startMillis) {
        String keptService = services.fold(service, startMillis);
        String keptTable =
                tables.computeIfAbsent(keptService, s -> new BoundedNames(MOST_NAMES))
                        .fold(table, startMillis);
        if (!keptService.equals(service) || !keptTable.equals(table)) {
            tooManyNames.inc();
        }
        return new Place(keptService, keptTable, startMillis);
    }

    @Override
    public void processWatermark(Watermark mark) throws Exception {
        sendOn();
        super.processWatermark(mark);
    }

    @Override
    public void prepareSnapshotPreBarrier(long checkpointId) {
        sendOn();
    }

    @Override
    public void finish() throws Exception {
        sendOn();
        super.finish();
    }

    private void sendOn() {
        panes.forEach(
                (place, pane) ->
                        output.collect(
                                new StreamRecord<>(
                                        new TablePane(
                                                place.service(),
                                                place.table(),
                                                place.startMillis(),
                                                pane))));
        panes.clear();
    }
}
