package io.kipimo.local;

import io.kipimo.cli.advice.HttpGates;
import io.kipimo.console.Console;
import io.kipimo.console.server.ServerSettings;
import io.kipimo.embedded.watch.Progress;
import io.kipimo.sdk.kafka.KafkaSettings;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The console of a demo, with its own token, so that users can set overrides.
 *
 * @param port preferred port; 0 or an occupied port: any free port
 */
public record LocalConsole(int port) {
    private static final int TOKEN_BYTES = 12;

    /** Starts the console, and opens a browser if there is a desktop. Returns when the console serves. */
    public Console open(KafkaSettings kafka, Progress progress) throws IOException, InterruptedException {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        String token = HexFormat.of().formatHex(random);
        Console console = start(kafka, token);
        progress.say(
                "the console is at " + console.address() + " (token for overrides and the kill switch: " + token + ")");
        browser(System.getProperty("os.name"), System.getenv().keySet().stream().toList())
                .ifPresent(command -> launch(command, console.address()));
        return console;
    }

    private Console start(KafkaSettings kafka, String token) throws IOException, InterruptedException {
        try {
            return start(kafka, token, port);
        } catch (IOException e) {
            return start(kafka, token, 0);
        }
    }

    private static Console start(KafkaSettings kafka, String token, int port) throws IOException, InterruptedException {
        return Console.start(
                kafka,
                Console.LOOK_BACK,
                new ServerSettings(ServerSettings.LOOPBACK, port, Optional.of(token)),
                new HttpGates(kafka),
                Optional.empty());
    }

    /** The command that opens an address on this desktop; empty if there is none. */
    static Optional<String> browser(String system, List<String> environment) {
        if (system.startsWith("Mac")) {
            return Optional.of("open");
        }
        return environment.contains("DISPLAY") || environment.contains("WAYLAND_DISPLAY")
                ? Optional.of("xdg-open")
                : Optional.empty();
    }

    private static void launch(String command, String address) {
        try {
            new ProcessBuilder(command, address)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            // The user can open the address printed on the terminal.
        }
    }
}
