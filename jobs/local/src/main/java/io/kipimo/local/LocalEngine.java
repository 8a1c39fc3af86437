package io.kipimo.local;

import io.kipimo.cli.terminal.InputException;
import io.kipimo.gateway.config.Engine;
import io.kipimo.sdk.internal.net.Address;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A search engine of the user.
 *
 * @param preset name of the gateway's preset for the engine
 * @param isTls whether the engine speaks HTTPS
 * @param authorization value of the header {@code authorization}; empty: no user was given
 */
record LocalEngine(String preset, Address address, boolean isTls, Optional<String> authorization) {
    private static final Pattern PLACE = Pattern.compile("(?:(https?)://)?(?:(.*)@)?([^@/]+)/?");
    private static final Pattern PASSWORD = Pattern.compile("[^/=]*:.*@");

    LocalEngine(String preset, Address address) {
        this(preset, address, false, Optional.empty());
    }

    /** Names of the presets of engines that are asked by HTTP, except the generic preset {@code json}. */
    static List<String> presets() {
        return Engine.names().stream()
                .filter(name -> !name.equals("json") && Engine.of(name).grpc().isEmpty())
                .toList();
    }

    /**
     * Reads {@code PRESET=HOST:PORT} or {@code PRESET=https://USER:PASSWORD@HOST:PORT}.
     *
     * @throws InputException that says what is allowed, if the text has neither form
     */
    static LocalEngine parse(String text) {
        int equals = text.indexOf('=');
        String preset = text.substring(0, Math.max(0, equals));
        String shown = PASSWORD.matcher(text).replaceFirst("...@");
        if (!presets().contains(preset)) {
            throw new InputException("--engine is '%s'; allowed: PRESET=HOST:PORT, PRESET being one of %s"
                    .formatted(shown, String.join(", ", presets())));
        }
        Matcher place = PLACE.matcher(text.substring(equals + 1));
        Optional<Address> address = place.matches() ? Address.parse(place.group(3)) : Optional.empty();
        if (address.filter(a -> a.port() > 0).isEmpty()) {
            throw new InputException(
                    "--engine is '%s'; allowed: %s=HOST:PORT or %s=https://USER:PASSWORD@HOST:PORT, the port being 1..65535"
                            .formatted(shown, preset, preset));
        }
        return new LocalEngine(
                preset,
                address.get(),
                "https".equals(place.group(1)),
                Optional.ofNullable(place.group(2)).map(LocalEngine::basic));
    }

    /** @param user user and password, percent-encoded as in an address */
    private static String basic(String user) {
        byte[] plain = URLDecoder.decode(user.replace("+", "%2B"), StandardCharsets.UTF_8)
                .getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(plain);
    }

    /** The address in the form of the gateway's file. */
    String server() {
        return (isTls ? "https://" : "") + address;
    }

    /** The text of the command line, without the password. */
    @Override
    public String toString() {
        return preset + '=' + server();
    }
}
