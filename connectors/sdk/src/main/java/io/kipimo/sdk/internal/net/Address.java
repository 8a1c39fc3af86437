package io.kipimo.sdk.internal.net;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host and a port.
 *
 * @param host name or address, IPv6 without brackets
 * @param port 0..65535
 */
public record Address(String host, int port) {
    private static final Pattern FORM = Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([A-Za-z0-9._-]+)):(\\d{1,5})");

    /** Reads {@code HOST:PORT}; empty if it is not of that form. */
    public static Optional<Address> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches() || Integer.parseInt(form.group(3)) > 65_535) {
            return Optional.empty();
        }
        return Optional.of(
                new Address(form.group(1) == null ? form.group(2) : form.group(1), Integer.parseInt(form.group(3))));
    }

    @Override
    public String toString() {
        return host.indexOf(':') < 0 ? host + ':' + port : '[' + host + "]:" + port;
    }
}
