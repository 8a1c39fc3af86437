package io.kipimo.examples.http;

import io.vertx.core.http.HttpServerOptions;

/** Settings of the examples' HTTP servers. */
public final class HttpServers {
    private HttpServers() {}

    /**
     * Options of a server on 127.0.0.1 with HTTP/1.1 only. If the server offered HTTP/2, Java's client would upgrade to
     * it with its first request, and measurements would depend on the client.
     *
     * @param port 0: any free port
     */
    public static HttpServerOptions onLoopback(int port) {
        return new HttpServerOptions().setHost("127.0.0.1").setPort(port).setHttp2ClearTextEnabled(false);
    }
}
