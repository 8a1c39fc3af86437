package io.kipimo.operators.ttl;

import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.FormatTypeInfo;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Format of {@link QueryChange}s between operators and while they wait in state. */
public final class QueryChangeFormat implements Format<QueryChange> {
    private static final long serialVersionUID = 1L;

    static final TypeInformation<QueryChange> TYPE = FormatTypeInfo.of(new QueryChangeFormat());

    private static final QueryChange.Kind[] KINDS = QueryChange.Kind.values();

    @Override
    public Class<QueryChange> type() {
        return QueryChange.class;
    }

    @Override
    public int version() {
        return 2;
    }

    @Override
    public void write(QueryChange change, DataOutputView out) throws IOException {
        out.writeByte(change.kind().ordinal());
        out.writeUTF(change.service());
        out.writeUTF(change.table());
        out.writeUTF(change.query());
        out.writeLong(change.atMillis());
        out.writeInt(change.shard());
        out.writeDouble(change.writesPerSecond());
        TrackedQueryFormat.writeLongs(change.records(), out);
        out.writeLong(change.ttlMillis());
        out.writeInt(change.size());
        out.writeBoolean(change.changesIds());
    }

    @Override
    public QueryChange read(DataInputView in, int version) throws IOException {
        return QueryChangeBuilder.builder()
                .kind(KINDS[in.readByte()])
                .service(in.readUTF())
                .table(in.readUTF())
                .query(in.readUTF())
                .atMillis(in.readLong())
                .shard(in.readInt())
                .writesPerSecond(in.readDouble())
                .records(TrackedQueryFormat.readLongs(in))
                .ttlMillis(version == 1 ? 0 : in.readLong())
                .size(version == 1 ? 0 : in.readInt())
                .changesIds(version != 1 && in.readBoolean())
                .build();
    }
}
