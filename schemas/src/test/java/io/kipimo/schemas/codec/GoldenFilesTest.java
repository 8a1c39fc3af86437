package io.kipimo.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Records that an earlier version wrote stay readable for ever. {@code -Dgolden.write=true} adds files for new messages
 * and fields; it never changes an existing file.
 */
class GoldenFilesTest {
    private static final Path DIRECTORY = GoldenFiles.DIRECTORY;

    @BeforeAll
    static void writeNewOnes() throws IOException {
        if (Boolean.getBoolean("golden.write")) {
            for (Codec<?> codec : Codecs.all()) {
                writeNewFields(codec);
            }
        }
    }

    /** Writes a random record that sets every field, unless some file of the type does so already. */
    private static <T> void writeNewFields(Codec<T> codec) throws IOException {
        List<List<String>> files = unsetInFiles(codec);
        if (codec == Codecs.QUERY_EVENT || files.stream().anyMatch(List::isEmpty)) {
            return;
        }
        T full = LongStream.iterate(0, seed -> seed + 1)
                .mapToObj(seed -> RecordArbitraries.of(codec, seed))
                .map(codec.type()::cast)
                .filter(any -> unset(codec.toMessage(any), codec.name()).isEmpty())
                .findFirst()
                .orElseThrow();
        Path bytes = GoldenFiles.file(codec, files.size() + 1);
        Files.createDirectories(DIRECTORY);
        Files.write(bytes, codec.encode(full));
        Files.writeString(jsonBeside(bytes), json(codec.toMessage(full)) + "\n");
    }

    static Stream<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(DIRECTORY)) {
            return all.filter(p -> p.toString().endsWith(".bin")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void isReadAsTheRecordItWas(Path file) throws Exception {
        assertReadable(codecOf(file), file);
    }

    private static <T> void assertReadable(Codec<T> codec, Path file) throws Exception {
        byte[] bytes = Files.readAllBytes(file);
        T record = codec.decode(bytes);

        Message.Builder expected = codec.toMessage(record).newBuilderForType();
        JsonFormat.parser().merge(Files.readString(jsonBeside(file)), expected);
        assertThat(codec.toMessage(record)).isEqualTo(expected.build());
        assertThat(codec.encode(record)).isEqualTo(bytes);
    }

    @Test
    void everyCodecHasItsFiles() {
        for (Codec<?> codec : Codecs.all()) {
            assertThat(GoldenFiles.files(codec))
                    .describedAs("missing ones of %s are written with -Dgolden.write=true", codec.name())
                    .isNotEmpty();
        }
    }

    /** Otherwise a codec could lose a field unnoticed. */
    @Test
    void someFileOfEachTypeSetsEveryField() throws Exception {
        for (Codec<?> codec : Codecs.all()) {
            if (codec != Codecs.QUERY_EVENT) {
                assertThat(unsetInFiles(codec))
                        .describedAs("unset in the files of %s", codec.name())
                        .anyMatch(List::isEmpty);
            }
        }
    }

    /** The unset fields of each file. */
    private static List<List<String>> unsetInFiles(Codec<?> codec) throws IOException {
        List<List<String>> unset = new ArrayList<>();
        for (Path file : GoldenFiles.files(codec)) {
            DynamicMessage message = DynamicMessage.parseFrom(codec.descriptor(), Files.readAllBytes(file));
            unset.add(unset(message, codec.name()));
        }
        return unset;
    }

    private static List<String> unset(Message message, String path) {
        List<String> unset = new ArrayList<>();
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            String name = path + "." + field.getName();
            if (!message.getAllFields().containsKey(field)) {
                unset.add(name);
            } else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                Object value = field.isRepeated() ? message.getRepeatedField(field, 0) : message.getField(field);
                unset.addAll(unset((Message) value, name));
            }
        }
        // Numbers and texts exclude each other.
        unset.removeIf(n -> n.endsWith("items.numbers") || n.endsWith("items.texts"));
        return unset;
    }

    private static Codec<?> codecOf(Path file) {
        String name = file.getFileName().toString();
        return Codecs.named(name.substring(0, name.indexOf('-')));
    }

    private static Path jsonBeside(Path bytes) {
        return bytes.resolveSibling(bytes.getFileName().toString().replaceFirst("\\.bin$", ".json"));
    }

    private static String json(Message message) throws InvalidProtocolBufferException {
        return JsonFormat.printer().alwaysPrintFieldsWithNoPresence().print(message);
    }
}
