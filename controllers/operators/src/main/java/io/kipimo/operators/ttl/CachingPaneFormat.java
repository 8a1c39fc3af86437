package io.kipimo.operators.ttl;

import io.kipimo.core.ttl.CachingPane;
import io.kipimo.operators.types.Format;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** State of {@link CachingWindowFunction}. */
public final class CachingPaneFormat implements Format<CachingPane> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<CachingPane> type() {
        return CachingPane.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(CachingPane pane, DataOutputView out) throws IOException {
        pane.write(out);
    }

    @Override
    public CachingPane read(DataInputView in, int version) throws IOException {
        return CachingPane.read(in);
    }

    @Override
    public CachingPane copy(CachingPane pane) {
        return pane.copy();
    }
}
