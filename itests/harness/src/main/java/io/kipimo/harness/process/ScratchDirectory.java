package io.kipimo.harness.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.util.FileUtils;

/**
 * A temporary directory that goes with its owner. With {@code -Dkipimo.keep=true} it stays, for
 * looking at logs.
 */
public record ScratchDirectory(Path path) implements AutoCloseable {

    public static ScratchDirectory create(String name) {
        try {
            return new ScratchDirectory(Files.createTempDirectory("kipimo-" + name + "-"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A directory within, created where it is missing. */
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
