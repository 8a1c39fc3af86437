package io.kipimo.schemas.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.util.JsonFormat;
import io.kipimo.schemas.wire.CacheReadProto;
import io.kipimo.schemas.wire.CompletenessModelProto;
import io.kipimo.schemas.wire.DeadLetterProto;
import io.kipimo.schemas.wire.DeadlineCurveProto;
import io.kipimo.schemas.wire.DecisionProto;
import io.kipimo.schemas.wire.ErrorBudgetProto;
import io.kipimo.schemas.wire.FanOutPublicationProto;
import io.kipimo.schemas.wire.ItemsProto;
import io.kipimo.schemas.wire.ObservationProto;
import io.kipimo.schemas.wire.PolicyProto;
import io.kipimo.schemas.wire.QualityWindowProto;
import io.kipimo.schemas.wire.QueryEventProto;
import io.kipimo.schemas.wire.RatingProto;
import io.kipimo.schemas.wire.ReplicationDecisionProto;
import io.kipimo.schemas.wire.TailWindowProto;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the messages of this version with the committed snapshot. {@code -Dgolden.write=true} adds new ones to the
 * snapshot, provided that nothing is broken.
 */
class CompatibilityTest {
    private static final Path PROTOS = Path.of("src/main/proto");
    private static final Path SNAPSHOT = Path.of("src/test/resources/golden/v1/descriptors.json");

    @Test
    void noMessageBreaksReadersOfWhatWasWrittenBefore() throws IOException {
        FileDescriptorSet now = current();
        if (Boolean.getBoolean("golden.write") && Files.notExists(SNAPSHOT)) {
            write(now);
        }
        FileDescriptorSet.Builder before = FileDescriptorSet.newBuilder();
        JsonFormat.parser().merge(Files.readString(SNAPSHOT), before);

        assertThat(Compatibility.breaks(before.build(), now)).isEmpty();
        if (Boolean.getBoolean("golden.write")) {
            write(now);
        }
    }

    /** A file that the list omits would not be compared. */
    @Test
    void everyProtoFileIsCompared() throws IOException {
        try (Stream<Path> files = Files.walk(PROTOS)) {
            assertThat(current().getFileList().stream().map(FileDescriptorProto::getName))
                    .containsExactlyInAnyOrderElementsOf(
                            files.filter(f -> f.toString().endsWith(".proto"))
                                    .map(f -> PROTOS.relativize(f).toString())
                                    .toList());
        }
    }

    private static void write(FileDescriptorSet now) throws IOException {
        Files.writeString(SNAPSHOT, JsonFormat.printer().print(now) + "\n");
    }

    private static FileDescriptorSet current() {
        FileDescriptorSet.Builder files = FileDescriptorSet.newBuilder();
        Stream.of(
                        CacheReadProto.getDescriptor(),
                        CompletenessModelProto.getDescriptor(),
                        DeadLetterProto.getDescriptor(),
                        DeadlineCurveProto.getDescriptor(),
                        DecisionProto.getDescriptor(),
                        ErrorBudgetProto.getDescriptor(),
                        FanOutPublicationProto.getDescriptor(),
                        ItemsProto.getDescriptor(),
                        ObservationProto.getDescriptor(),
                        PolicyProto.getDescriptor(),
                        QualityWindowProto.getDescriptor(),
                        QueryEventProto.getDescriptor(),
                        RatingProto.getDescriptor(),
                        ReplicationDecisionProto.getDescriptor(),
                        TailWindowProto.getDescriptor())
                .map(Descriptor::getFile)
                .map(FileDescriptor::toProto)
                .map(f -> f.toBuilder().clearOptions().build())
                .forEach(files::addFile);
        return files.build();
    }

    @Test
    void whatIsNewBreaksNobody() {
        assertThat(change(m -> m.addField(field("c", 3, FieldDescriptorProto.Type.TYPE_STRING))
                        .addReservedRange(DescriptorProto.ReservedRange.newBuilder()
                                .setStart(9)
                                .setEnd(10))))
                .isEmpty();
        assertThat(Compatibility.breaks(
                        files(message(), constants("A", "B")), files(message(), constants("A", "B", "C"))))
                .isEmpty();
    }

    @Test
    void aFieldIsOnlyRemovedWithNumberAndNameReserved() {
        assertThat(change(m -> m.removeField(1)))
                .containsExactly("p.M.b = 2 is gone and its number and name are not reserved");
        assertThat(change(m -> m.removeField(1)
                        .addReservedName("b")
                        .addReservedRange(DescriptorProto.ReservedRange.newBuilder()
                                .setStart(2)
                                .setEnd(3))))
                .isEmpty();
    }

    @Test
    void aNumberKeepsNameTypeAndLabel() {
        assertThat(change(m -> m.setField(1, field("x", 2, FieldDescriptorProto.Type.TYPE_INT64))))
                .containsExactly("p.M.b was renamed: b is now x");
        assertThat(change(m -> m.setField(1, field("b", 2, FieldDescriptorProto.Type.TYPE_SINT64))))
                .containsExactly("p.M.b changed its type: TYPE_INT64 is now TYPE_SINT64");
        assertThat(change(m -> m.setField(
                        1,
                        field("b", 2, FieldDescriptorProto.Type.TYPE_INT64).toBuilder()
                                .setLabel(Label.LABEL_REPEATED)
                                .build())))
                .containsExactly("p.M.b changed its label: LABEL_OPTIONAL is now LABEL_REPEATED");
    }

    @Test
    void aReservedNumberIsNotUsedAgain() {
        DescriptorProto.Builder reserving = message().toBuilder()
                .addReservedRange(
                        DescriptorProto.ReservedRange.newBuilder().setStart(3).setEnd(4));
        assertThat(Compatibility.breaks(
                        files(reserving.build(), constants("A")),
                        files(
                                message().toBuilder()
                                        .addField(field("c", 3, FieldDescriptorProto.Type.TYPE_BOOL))
                                        .build(),
                                constants("A"))))
                .containsExactly("p.M uses 3, which was reserved");
    }

    @Test
    void anEnumConstantKeepsNameAndNumber() {
        assertThat(Compatibility.breaks(
                        files(message(), constants("A", "B", "C")), files(message(), constants("A", "X"))))
                .containsExactly("p.E.B was renamed: B is now X", "p.E.C = 2 is gone");
    }

    @Test
    void messagesAndEnumsStay() {
        assertThat(Compatibility.breaks(files(message(), constants("A")), FileDescriptorSet.getDefaultInstance()))
                .containsExactly("message p.M is gone", "enum p.E is gone");
    }

    private static List<String> change(UnaryOperator<DescriptorProto.Builder> change) {
        return Compatibility.breaks(
                files(message(), constants("A")),
                files(change.apply(message().toBuilder()).build(), constants("A")));
    }

    private static DescriptorProto message() {
        return DescriptorProto.newBuilder()
                .setName("M")
                .addField(field("a", 1, FieldDescriptorProto.Type.TYPE_STRING))
                .addField(field("b", 2, FieldDescriptorProto.Type.TYPE_INT64))
                .build();
    }

    private static FieldDescriptorProto field(String name, int number, FieldDescriptorProto.Type type) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setType(type)
                .setLabel(Label.LABEL_OPTIONAL)
                .build();
    }

    private static EnumDescriptorProto constants(String... names) {
        EnumDescriptorProto.Builder constants = EnumDescriptorProto.newBuilder().setName("E");
        for (int i = 0; i < names.length; i++) {
            constants.addValue(
                    EnumValueDescriptorProto.newBuilder().setName(names[i]).setNumber(i));
        }
        return constants.build();
    }

    private static FileDescriptorSet files(DescriptorProto message, EnumDescriptorProto constants) {
        return FileDescriptorSet.newBuilder()
                .addFile(FileDescriptorProto.newBuilder()
                        .setPackage("p")
                        .addMessageType(message)
                        .addEnumType(constants))
                .build();
    }
}
