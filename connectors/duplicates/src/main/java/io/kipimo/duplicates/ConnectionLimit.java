package io.kipimo.duplicates;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;

/** Closes connections above a limit. Used on one event loop. */
final class ConnectionLimit implements Handler<HttpConnection> {
    private final int most;
    private int open;

    ConnectionLimit(int most) {
        this.most = most;
    }

    @Override
    public void handle(HttpConnection connection) {
        if (open >= most) {
            var unused = connection.close();
            return;
        }
        open++;
        connection.closeHandler(v -> open--);
    }
}
