package io.kipimo.operators.quality;

import io.kipimo.core.quality.join.OpenQuery;
import io.kipimo.core.quality.join.OpenQueryFormat;
import io.kipimo.core.quality.join.OpenQueryFormat.EventFormat;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.EventScanner;
import io.kipimo.schemas.codec.LoggedEvent;
import io.kipimo.schemas.quality.SampledEvent;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Format of an open query in state, by {@link OpenQueryFormat}. */
public final class OpenQueryStateFormat implements Format<OpenQuery> {
    private static final long serialVersionUID = 1L;

    private transient OpenQueryFormat format;

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
        format().write(query, out);
    }

    @Override
    public OpenQuery read(DataInputView in, int version) throws IOException {
        return format().read(in, version);
    }

    private OpenQueryFormat format() {
        if (format == null) {
            format = new OpenQueryFormat(new LoggedEvents());
        }
        return format;
    }

    @Override
    public OpenQuery copy(OpenQuery query) {
        return query.copy();
    }

    /** Format of events, which are {@link LoggedEvent}s here. */
    private static final class LoggedEvents implements EventFormat {
        private EventScanner scanner;

        @Override
        public void write(SampledEvent event, DataOutput out) throws IOException {
            ((LoggedEvent) event).write(out);
        }

        @Override
        public LoggedEvent read(DataInput in) throws IOException {
            if (scanner == null) {
                scanner = new EventScanner();
            }
            return scanner.read(in);
        }
    }
}
