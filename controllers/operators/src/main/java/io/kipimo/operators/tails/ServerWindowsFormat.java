package io.kipimo.operators.tails;

import io.kipimo.core.tails.ServerWindows;
import io.kipimo.operators.types.Format;
import java.io.IOException;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** State of {@link ServerTailsFunction}. */
public final class ServerWindowsFormat implements Format<ServerWindows> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<ServerWindows> type() {
        return ServerWindows.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(ServerWindows windows, DataOutputView out) throws IOException {
        windows.write(out);
    }

    @Override
    public ServerWindows read(DataInputView in, int version) throws IOException {
        return ServerWindows.read(in);
    }

    @Override
    public ServerWindows copy(ServerWindows windows) {
        return windows.copy();
    }
}
