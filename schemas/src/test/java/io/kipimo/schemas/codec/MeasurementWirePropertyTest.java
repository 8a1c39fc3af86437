package io.kipimo.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.kipimo.schemas.quality.Measurement;
import io.kipimo.schemas.wire.MeasurementProto;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** The handwritten codec agrees with the derived mapping. */
class MeasurementWirePropertyTest {
    private static final double[] NUMBERS = {
        -2, -1, -1e-9, 0, 0.5, 1, 1.001, 2, 10_000, 10_001, 1e12, 9e12, 1e17, Double.NaN
    };

    @Property(seed = "4711")
    void aMessageIsReadOrRefusedAlike(@ForAll long seed) {
        Random random = new Random(seed);
        Measurement any = (Measurement) RecordArbitraries.of(Codecs.MEASUREMENT, seed);
        MeasurementProto wire = (MeasurementProto) changed(QualityCodecs.MEASUREMENT.toWire(any), random);

        assertThat(read(wire, MeasurementWire::read)).isEqualTo(read(wire, QualityCodecs.MEASUREMENT::fromWire));
    }

    private static Optional<Measurement> read(
            MeasurementProto wire, ProtobufCodec.FromWire<Measurement, MeasurementProto> way) {
        try {
            return Optional.of(way.read(wire));
        } catch (InvalidRecordException e) {
            return Optional.empty();
        }
    }

    /** The message with another value of one field, which may be in a part of it. */
    private static Message changed(Message message, Random random) {
        List<FieldDescriptor> fields =
                new ArrayList<>(message.getDescriptorForType().getFields());
        FieldDescriptor field = fields.get(random.nextInt(fields.size()));
        Message.Builder changed = message.toBuilder();
        double number = NUMBERS[random.nextInt(NUMBERS.length)];
        switch (field.getJavaType()) {
            case INT -> changed.setField(field, (int) number);
            case LONG -> changed.setField(field, (long) number);
            case DOUBLE -> changed.setField(field, number);
            case BOOLEAN -> changed.setField(field, random.nextBoolean());
            case STRING ->
                changed.setField(field, List.of("", "a/b", "a\n", "c").get(random.nextInt(4)));
            case ENUM ->
                changed.setField(field, field.getEnumType().findValueByNumberCreatingIfUnknown(random.nextInt(9)));
            case MESSAGE -> {
                for (int i = 0; i < message.getRepeatedFieldCount(field); i++) {
                    Message part = (Message) message.getRepeatedField(field, i);
                    changed.setRepeatedField(field, i, changed(part, random));
                }
            }
            default -> throw new AssertionError("no values of " + field);
        }
        return changed.build();
    }
}
