package io.kipimo.operators.quality;

import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.FormatTypeInfo;
import io.kipimo.schemas.quality.JoinInput;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Flink's type of {@link JoinInput}, which never leaves its task. */
public final class JoinInputFormat implements Format<JoinInput> {
    public static final TypeInformation<JoinInput> TYPE = FormatTypeInfo.of(new JoinInputFormat());

    private static final long serialVersionUID = 1L;

    @Override
    public Class<JoinInput> type() {
        return JoinInput.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(JoinInput input, DataOutputView out) {
        throw leftTask();
    }

    @Override
    public JoinInput read(DataInputView in, int version) {
        throw leftTask();
    }

    private static IllegalStateException leftTask() {
        return new IllegalStateException(
                "the local join is not chained to its source; allowed: operator chaining enabled,"
                        + " or join.path KEYED");
    }
}
