package io.kipimo.schemas.codec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The records that earlier versions wrote. The first of a type is readable by eyes, others may be random. */
final class GoldenFiles {
    static final Path DIRECTORY = Path.of("src/test/resources/golden/v1");

    private GoldenFiles() {}

    static Path file(Codec<?> codec, int number) {
        return DIRECTORY.resolve(codec.name() + "-" + number + ".bin");
    }

    /** By the numbers of the files, without gaps. */
    static List<Path> files(Codec<?> codec) {
        List<Path> files = new ArrayList<>();
        for (int number = 1; Files.exists(file(codec, number)); number++) {
            files.add(file(codec, number));
        }
        return files;
    }

    static <T> List<T> of(Codec<T> codec) {
        List<T> records = new ArrayList<>();
        for (Path file : files(codec)) {
            try {
                records.add(codec.decode(Files.readAllBytes(file)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InvalidRecordException e) {
                throw new AssertionError(file + " is not readable", e);
            }
        }
        return records;
    }
}
