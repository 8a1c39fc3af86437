package io.kipimo.endtoend;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Interpreters of Python with packages. Where python3 or the package registry is missing, the test is skipped, loudly.
 */
final class Python {
    private Python() {}

    /**
     * The interpreter that a system property names, or one of a new virtual environment.
     *
     * @param test for the message
     * @param property names an interpreter that has all packages
     * @param packages for pip
     */
    static String with(Class<?> test, String property, Path directory, String... packages)
            throws IOException, InterruptedException {
        String given = System.getProperty(property);
        if (given != null) {
            return given;
        }
        run(test, directory, List.of("python3", "-m", "venv", "venv"));
        String python = directory.resolve("venv/bin/python").toString();
        run(
                test,
                directory,
                Stream.concat(Stream.of(python, "-m", "pip", "install", "-q"), Stream.of(packages))
                        .toList());
        return python;
    }

    private static void run(Class<?> test, Path directory, List<String> command)
            throws IOException, InterruptedException {
        Path log = directory.resolve("python.log");
        try {
            Process process = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            if (!process.waitFor(8, TimeUnit.MINUTES)) {
                process.destroyForcibly();
                skip(test, String.join(" ", command) + " took more than 8 minutes");
            }
            if (process.exitValue() != 0) {
                skip(test, String.join(" ", command) + ":\n" + Files.readString(log));
            }
        } catch (IOException e) {
            skip(test, "no python3: " + e.getMessage());
        }
    }

    private static void skip(Class<?> test, String why) {
        System.err.println("SKIPPED " + test.getSimpleName() + ": " + why);
        abort(why);
    }
}
