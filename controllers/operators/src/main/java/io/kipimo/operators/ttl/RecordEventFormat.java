package io.kipimo.operators.ttl;

import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.FormatTypeInfo;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Format of {@link RecordEvent}s between operators and while they wait in state. */
public final class RecordEventFormat implements Format<RecordEvent> {
    private static final long serialVersionUID = 1L;

    static final TypeInformation<RecordEvent> TYPE = FormatTypeInfo.of(new RecordEventFormat());

    private static final RecordEvent.Kind[] KINDS = RecordEvent.Kind.values();

    @Override
    public Class<RecordEvent> type() {
        return RecordEvent.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(RecordEvent event, DataOutputView out) throws IOException {
        out.writeByte(event.kind().ordinal());
        out.writeUTF(event.service());
        out.writeUTF(event.table());
        out.writeLong(event.atMillis());
        out.writeUTF(event.query());
        out.writeInt(event.records().size());
        for (String record : event.records()) {
            out.writeUTF(record);
        }
    }

    @Override
    public RecordEvent read(DataInputView in, int version) throws IOException {
        RecordEvent.Kind kind = KINDS[in.readByte()];
        String service = in.readUTF();
        String table = in.readUTF();
        long atMillis = in.readLong();
        String query = in.readUTF();
        int count = in.readInt();
        List<String> records = new ArrayList<>(count);
        for (; count > 0; count--) {
            records.add(in.readUTF());
        }
        return new RecordEvent(kind, service, table, atMillis, query, records);
    }
}
