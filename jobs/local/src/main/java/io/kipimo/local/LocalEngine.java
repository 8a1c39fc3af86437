package io.kipimo.local;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.gateway.config.Engine;
import io.kipimo.sdk.internal.net.Address;
import java.util.List;

/**
 * A search engine of the user.
 *
 * @param preset name of the gateway's preset
 */
record LocalEngine(String preset, Address address) {
    /** Presets by name of engines that are asked by HTTP, without the one that knows nothing. */
    static List<String> presets() {
        return Engine.names().stream()
                .filter(name -> !name.equals("json") && Engine.of(name).grpc().isEmpty())
                .toList();
    }

    /**
     * Reads {@code PRESET=HOST:PORT}.
     *
     * @throws InputException that says what is allowed
     */
    static LocalEngine parse(String text) {
        int equals = text.indexOf('=');
        String preset = text.substring(0, Math.max(0, equals));
        if (!presets().contains(preset)) {
            throw new InputException("--engine is '%s'; allowed: PRESET=HOST:PORT, PRESET being one of %s"
                    .formatted(text, String.join(", ", presets())));
        }
        return Address.parse(text.substring(equals + 1))
                .filter(address -> address.port() > 0)
                .map(address -> new LocalEngine(preset, address))
                .orElseThrow(() -> new InputException(
                        "--engine is '%s'; allowed: %s=HOST:PORT, the port being 1..65535".formatted(text, preset)));
    }

    /** As on the command line. */
    @Override
    public String toString() {
        return preset + '=' + address;
    }
}
