package io.kipimo.operators.types;

import io.kipimo.schemas.quality.QueryKey;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Format of a query's key, as its two texts. */
public final class QueryKeyFormat implements Format<QueryKey> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<QueryKey> type() {
        return QueryKey.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(QueryKey key, DataOutputView out) throws IOException {
        out.writeUTF(key.service());
        out.writeUTF(key.queryId());
    }

    @Override
    public QueryKey read(DataInputView in, int version) throws IOException {
        return new QueryKey(in.readUTF(), in.readUTF());
    }

    @Override
    public boolean isKey() {
        return true;
    }
}
