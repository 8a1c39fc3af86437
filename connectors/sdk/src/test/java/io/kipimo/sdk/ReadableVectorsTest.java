package io.kipimo.sdk;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.kipimo.schemas.codec.Codec;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.schemas.observation.CostCount;
import io.kipimo.schemas.observation.Observation;
import io.kipimo.schemas.observation.ObservationBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * {@code clients/vectors/readable.json}: records with one odd value each, and whether readers accept them. Clients
 * check what they send by the same rules.
 */
class ReadableVectorsTest {
    private static final List<String> TEXTS = List.of(
            "",
            "a/b",
            "a\u009b",
            "a\u0000",
            "a\u202e",
            "x".repeat(257),
            "\ud83d\ude00".repeat(128),
            "\ud83d\ude00".repeat(129));
    private static final List<Long> WHOLE =
            List.of(-1L, 0L, 2L, 10_001L, 864_000_000_001L, 7_258_118_400_001L, 1L << 54);
    private static final List<Double> REAL = List.of(-0.5, 0.0, 1.5, 1e30, Double.NaN, Double.POSITIVE_INFINITY);

    private final List<Object> vectors = new ArrayList<>();

    @Test
    void readable() throws Exception {
        add(Codecs.ANSWER, golden("answers", 1));
        add(Codecs.ANSWER, golden("answers", 2));
        add(Codecs.PARTIAL_RESULT, golden("partials", 0));
        Observation observation = Codecs.OBSERVATION.decode(golden("observations", 0));
        add(
                Codecs.OBSERVATION,
                Codecs.OBSERVATION.encode(ObservationBuilder.builder(observation)
                        .costs(List.of(new CostCount(3, 5, 5, 100)))
                        .build()));
        ClientVectorsTest.check("readable.json", new JsonObject().with("vectors", vectors));
    }

    /** A record of {@code messages.json}. */
    private static byte[] golden(String topic, int number) throws IOException {
        return JsonParser.parseString(Files.readString(ClientVectorsTest.DIRECTORY.resolve("messages.json")))
                .getAsJsonObject()
                .getAsJsonArray("vectors")
                .asList()
                .stream()
                .map(JsonElement::getAsJsonObject)
                .filter(v -> v.get("topic").getAsString().equals(topic))
                .skip(number)
                .map(v -> HexFormat.of().parseHex(v.get("hex").getAsString()))
                .findFirst()
                .orElseThrow();
    }

    private <T> void add(Codec<T> codec, byte[] record) throws InvalidRecordException {
        Message message = codec.toMessage(codec.decode(record));
        vary(message, odd -> addVector(codec, odd));
    }

    private void addVector(Codec<?> codec, Message message) {
        String refusal = "";
        try {
            codec.decode(message.toByteArray());
        } catch (InvalidRecordException e) {
            refusal = e.getMessage();
        }
        vectors.add(new JsonObject()
                .with("message", codec.name())
                .with("bytes", HexFormat.of().formatHex(message.toByteArray()))
                .with("isReadable", refusal.isEmpty())
                .with("refusal", refusal));
    }

    /** Gives each message that differs from this one in a single value of a single field. */
    private static void vary(Message message, Consumer<Message> out) {
        out.accept(message);
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            if (!field.isRepeated()) {
                for (Object odd : odd(field)) {
                    out.accept(message.toBuilder().setField(field, odd).build());
                }
                if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                    vary(
                            (Message) message.getField(field),
                            part -> out.accept(
                                    message.toBuilder().setField(field, part).build()));
                }
            } else if (message.getRepeatedFieldCount(field) > 0) {
                Object first = message.getRepeatedField(field, 0);
                out.accept(message.toBuilder().addRepeatedField(field, first).build());
                for (Object odd : odd(field)) {
                    out.accept(
                            message.toBuilder().setRepeatedField(field, 0, odd).build());
                }
                if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                    vary(
                            (Message) first,
                            part -> out.accept(message.toBuilder()
                                    .setRepeatedField(field, 0, part)
                                    .build()));
                }
            }
        }
    }

    private static List<?> odd(FieldDescriptor field) {
        return switch (field.getJavaType()) {
            case STRING -> TEXTS;
            case LONG -> WHOLE;
            case INT -> List.of(-1, 0, 2, 10_001, 864_000_001, Integer.MAX_VALUE, Integer.MIN_VALUE);
            case DOUBLE -> REAL;
            case FLOAT -> REAL.stream().map(Double::floatValue).toList();
            case ENUM ->
                List.of(
                        field.getEnumType().findValueByNumber(0),
                        field.getEnumType().findValueByNumberCreatingIfUnknown(99));
            default -> List.of();
        };
    }
}
