package io.kipimo.operators.ttl;

import io.kipimo.core.ttl.CachingPane;
import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.FormatTypeInfo;
import java.io.IOException;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Format of {@link TablePane}s between operators. */
public final class TablePaneFormat implements Format<TablePane> {
    private static final long serialVersionUID = 1L;

    static final TypeInformation<TablePane> TYPE = FormatTypeInfo.of(new TablePaneFormat());

    @Override
    public Class<TablePane> type() {
        return TablePane.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(TablePane pane, DataOutputView out) throws IOException {
        out.writeUTF(pane.service());
        out.writeUTF(pane.table());
        out.writeLong(pane.startMillis());
        pane.pane().write(out);
    }

    @Override
    public TablePane read(DataInputView in, int version) throws IOException {
        return new TablePane(in.readUTF(), in.readUTF(), in.readLong(), CachingPane.read(in));
    }

    @Override
    public TablePane copy(TablePane pane) {
        return new TablePane(pane.service(), pane.table(), pane.startMillis(), pane.pane().copy());
    }
}
