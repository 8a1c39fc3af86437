package io.kipimo.examples.http;

import io.vertx.core.http.HttpServerOptions;

/** Settings of the examples' HTTP servers. */
public final class HttpServers {
    private HttpServers() {}

    /**
     * On 127.0.0.1, by HTTP/1.1 alone: Java's client would else turn to HTTP/2 with its first
     * request, and what is measured would hang on who asks.
     *
     * @param port 0: any that is free
     */
    public static HttpServerOptions onLoopback(int port) {
        return new HttpServerOptions()
                .setHost("127.0.0.1")
                .setPort(port)
                .setHttp2ClearTextEnabled(false);
    }
}
