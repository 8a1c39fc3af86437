package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.OpenQueryFormat;
import io.kipimo.operators.types.Format;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** The state of a query, as {@link OpenQueryFormat} has it. */
public final class OpenQueryStateFormat implements Format<OpenQuery> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<OpenQuery> type() {
        return OpenQuery.class;
    }

    @Override
    public int version() {
        return OpenQueryFormat.VERSION;
    }

    @Override
    public void write(OpenQuery query, DataOutputView out) throws IOException {
        OpenQueryFormat.write(query, out);
    }

    @Override
    public OpenQuery read(DataInputView in, int version) throws IOException {
        return OpenQueryFormat.read(in, version);
    }

    @Override
    public OpenQuery copy(OpenQuery query) {
        return query.copy();
    }
}
