package io.kipimo.gateway.transport;

/** The bytes of a request are those of a TLS handshake. */
public final class TlsBytesException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    TlsBytesException() {
        super("the connection begins with a TLS handshake, and this address has no TLS");
    }
}
