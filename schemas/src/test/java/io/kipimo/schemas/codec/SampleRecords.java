package io.kipimo.schemas.codec;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Records for the eye, as JSON in {@code samples}: the first of a type says as much as it can, the second the least.
 */
final class SampleRecords {
    private static final Path DIRECTORY = Path.of("src/test/resources/samples");

    private SampleRecords() {}

    static <T> List<T> of(Codec<T> codec) {
        List<T> records = new ArrayList<>();
        for (Path file = file(codec, 1); Files.exists(file); file = file(codec, records.size() + 1)) {
            records.add(read(codec, file));
        }
        return records;
    }

    private static Path file(Codec<?> codec, int number) {
        return DIRECTORY.resolve(codec.name() + "-" + number + ".json");
    }

    private static <T> T read(Codec<T> codec, Path file) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(codec.descriptor());
        try {
            JsonFormat.parser().merge(Files.readString(file), message);
            return codec.decode(message.build().toByteArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InvalidRecordException e) {
            throw new AssertionError(file + " is not readable", e);
        }
    }
}
