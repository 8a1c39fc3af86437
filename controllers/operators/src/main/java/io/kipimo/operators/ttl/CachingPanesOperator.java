package io.kipimo.operators.ttl;

import io.kipimo.core.ttl.CachingPane;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Adds up where records are read, before they are shuffled, so that one table's traffic does not
 * all go to one subtask. What it holds goes on before a watermark, a checkpoint or the end does, so
 * it has no state.
 *
 * @param <T> what happened
 */
final class CachingPanesOperator<T> extends AbstractStreamOperator<TablePane>
        implements OneInputStreamOperator<T, TablePane> {
    private static final long serialVersionUID = 1L;

    /** Tables and windows; more go on at once. */
    private static final int MOST_PANES = 256;

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

    CachingPanesOperator(Reader<T> reader, long windowMillis) {
        this.reader = reader;
        this.windowMillis = windowMillis;
    }

    @Override
    public void open() throws Exception {
        super.open();
        panes = new LinkedHashMap<>();
    }

    @Override
    public void processElement(StreamRecord<T> element) {
        T event = element.getValue();
        long start = Math.floorDiv(reader.atMillis(event), windowMillis) * windowMillis;
        Place place = new Place(reader.service(event), reader.table(event), start);
        reader.add(event, panes.computeIfAbsent(place, p -> new CachingPane()));
        if (panes.size() >= MOST_PANES) {
            sendOn();
        }
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
