package io.kipimo.harness.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs that may or may not be on this machine. */
public final class Programs {
    /** Where servers are that an ordinary user's PATH does not lead to. */
    private static final List<String> SERVERS =
            List.of("/usr/sbin", "/usr/local/sbin", "/usr/local/bin");

    private Programs() {}

    /** A program by its name; a variable of that name in capitals comes first, then PATH. */
    public static Optional<Path> find(String name) {
        String named = System.getenv(name.toUpperCase(Locale.ROOT));
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(
                        Stream.ofNullable(named).map(Path::of),
                        Stream.concat(
                                        Arrays.stream(path.split(File.pathSeparator, -1)),
                                        SERVERS.stream())
                                .filter(directory -> !directory.isEmpty())
                                .map(directory -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
