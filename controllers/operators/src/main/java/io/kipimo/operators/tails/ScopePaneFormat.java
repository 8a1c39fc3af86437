package io.kipimo.operators.tails;

import io.kipimo.core.tails.TailScope;
import io.kipimo.core.tails.TailSums;
import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.FormatTypeInfo;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Format of {@link ScopePane}s between the levels. */
public final class ScopePaneFormat implements Format<ScopePane> {
    private static final long serialVersionUID = 1L;

    static final TypeInformation<ScopePane> TYPE = FormatTypeInfo.of(new ScopePaneFormat());

    @Override
    public Class<ScopePane> type() {
        return ScopePane.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(ScopePane pane, DataOutputView out) throws IOException {
        out.writeUTF(pane.whole().key());
        out.writeLong(pane.startMillis());
        pane.sums().write(out);
    }

    @Override
    public ScopePane read(DataInputView in, int version) throws IOException {
        return new ScopePane(TailScope.ofKey(in.readUTF()), in.readLong(), TailSums.read(in));
    }

    @Override
    public ScopePane copy(ScopePane pane) {
        return new ScopePane(pane.whole(), pane.startMillis(), pane.sums().copy());
    }
}
