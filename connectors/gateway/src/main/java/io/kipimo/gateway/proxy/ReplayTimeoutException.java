package io.kipimo.gateway.proxy;

import java.util.concurrent.TimeoutException;

/** A replay took longer than the configuration allows. */
public final class ReplayTimeoutException extends TimeoutException {
    private static final long serialVersionUID = 1L;

    ReplayTimeoutException(long millis) {
        super("the replay took longer than " + millis + " ms");
    }
}
