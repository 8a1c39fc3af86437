package io.kipimo.embedded.process;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds optional programs of this machine. */
public final class Programs {
    /** Directories of servers that an ordinary user's PATH lacks. */
    private static final List<String> SERVERS = List.of("/usr/sbin", "/usr/local/sbin", "/usr/local/bin");

    private Programs() {}

    /** Finds a program by name: first by the environment variable of that name in capitals, then in PATH. */
    public static Optional<Path> find(String name) {
        String named = System.getenv(name.toUpperCase(Locale.ROOT));
        String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
        return Stream.concat(
                        Stream.ofNullable(named).map(Path::of),
                        Stream.concat(Arrays.stream(path.split(File.pathSeparator, -1)), SERVERS.stream())
                                .filter(directory -> !directory.isEmpty())
                                .map(directory -> Path.of(directory, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Finds Go, also in the directory where its installer puts it without adding it to PATH. */
    public static Optional<Path> go() {
        return find("go").or(() -> Optional.of(Path.of("/usr/local/go/bin/go"))).filter(Files::isExecutable);
    }
}
