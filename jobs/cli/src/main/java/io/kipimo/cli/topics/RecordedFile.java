package io.kipimo.cli.topics;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.kipimo.cli.terminal.InputException;
import io.kipimo.cli.terminal.InputFile;
import io.kipimo.cli.terminal.Plain;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.InvalidRecordException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads the output of {@code kipimo tail}: one record a line in the Protobuf JSON form. Skips empty lines, and tail's
 * notes on unusable records and deleted keys.
 */
public final class RecordedFile {
    private static final Pattern NOTE =
            Pattern.compile("\\s*\\{\"(error|deleted)\":\".*\",\"partition\":\\d+,\"offset\":\\d+}\\s*");

    private static final ObjectMapper JSON = new ObjectMapper();

    private RecordedFile() {}

    /**
     * Passes on every record in the order of the file.
     *
     * @param name path, or {@value InputFile#STANDARD_INPUT} for standard input
     * @return number of records
     * @throws InputException naming file, line and problem
     */
    public static <T> long read(String name, Codec<T> codec, Consumer<T> taker) {
        return each(name, (place, text) -> taker.accept(parse(place, codec, text)));
    }

    /**
     * Reads records of several kinds like {@link #read}. The fields of a record tell its kind, because {@code kipimo
     * tail} prints all fields, even those that are not set.
     *
     * @param codecs codecs of the allowed kinds
     */
    public static long readAny(String name, List<Codec<?>> codecs, Consumer<Object> taker) {
        return each(name, (place, text) -> taker.accept(parse(place, kind(place, codecs, text), text)));
    }

    private static long each(String name, BiConsumer<String, String> ofPlace) {
        return InputFile.read(name, reader -> {
            long records = 0;
            long line = 0;
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                line++;
                if (!text.isBlank() && !NOTE.matcher(text).matches()) {
                    ofPlace.accept(name + ":" + line, text);
                    records++;
                }
            }
            return records;
        });
    }

    private static Codec<?> kind(String place, List<Codec<?>> codecs, String text) {
        Set<String> names = new HashSet<>();
        try {
            JSON.readTree(text).fieldNames().forEachRemaining(names::add);
        } catch (JsonProcessingException e) {
            names.clear();
        }
        return codecs.stream()
                .filter(codec -> !names.isEmpty() && fields(codec).containsAll(names))
                .findFirst()
                .orElseThrow(() -> new InputException("%s: is no record; allowed, as kipimo tail prints them: %s"
                        .formatted(place, codecs.stream().map(Codec::name).collect(Collectors.joining(", ")))));
    }

    private static Set<String> fields(Codec<?> codec) {
        return codec.descriptor().getFields().stream()
                .map(FieldDescriptor::getJsonName)
                .collect(Collectors.toSet());
    }

    private static <T> T parse(String place, Codec<T> codec, String text) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(codec.descriptor());
        try {
            JsonFormat.parser().merge(text, message);
            return codec.decode(message.build().toByteArray());
        } catch (InvalidProtocolBufferException e) {
            throw problem(place, codec, "is none: " + why(text, e));
        } catch (InvalidRecordException e) {
            throw problem(place, codec, "cannot be used: " + e.getMessage());
        }
    }

    /** Explains a parser's failure without class names. */
    private static String why(String text, InvalidProtocolBufferException failure) {
        try {
            JSON.readTree(text);
            return Plain.text(failure.getMessage());
        } catch (JsonProcessingException e) {
            return Plain.what(e);
        }
    }

    private static InputException problem(String place, Codec<?> codec, String what) {
        return new InputException(
                place + ": " + what + "; allowed: a " + codec.name() + " as JSON, as kipimo tail prints it");
    }
}
