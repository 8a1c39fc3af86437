package io.kipimo.operators.tails;

import io.kipimo.core.tails.ScopeWindows;
import io.kipimo.operators.types.Format;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** State of {@link ScopeTailsFunction}. */
public final class ScopeWindowsFormat implements Format<ScopeWindows> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<ScopeWindows> type() {
        return ScopeWindows.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(ScopeWindows windows, DataOutputView out) throws IOException {
        windows.write(out);
    }

    @Override
    public ScopeWindows read(DataInputView in, int version) throws IOException {
        return ScopeWindows.read(in);
    }

    @Override
    public ScopeWindows copy(ScopeWindows windows) {
        return windows.copy();
    }
}
