package io.kipimo.embedded.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.util.FileUtils;

/**
 * A temporary directory, which is deleted when it is closed. {@code -Dkipimo.keep=true} keeps it, so that logs can be
 * read.
 */
public record ScratchDirectory(Path path) implements AutoCloseable {

    public static ScratchDirectory create(String name) {
        try {
            return new ScratchDirectory(Files.createTempDirectory("kipimo-" + name + "-"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A subdirectory; created if it is missing. */
    public Path directory(String name) {
        try {
            return Files.createDirectories(path.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (!Boolean.getBoolean("kipimo.keep")) {
            FileUtils.deleteDirectoryQuietly(path.toFile());
        }
    }
}
