package io.kipimo.cli.terminal;

import io.kipimo.sdk.internal.net.Address;

/** Parses addresses in options, of the form HOST:PORT. */
public final class HostPort {
    private HostPort() {}

    /**
     * @param option name of the option, for the message
     * @throws InputException if the text is not an address
     */
    public static Address parse(String option, String text) {
        return Address.parse(text)
                .orElseThrow(() -> new InputException(option + " is '" + text + "'; allowed: HOST:PORT"));
    }
}
