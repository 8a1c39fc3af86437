package io.kipimo.schemas.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Functions in a job graph have codecs. */
class SerializedCodecsTest {
    static List<Codec<?>> codecs() {
        return Codecs.all();
    }

    @ParameterizedTest
    @MethodSource("codecs")
    void aCodecIsReadBackAsTheConstantOfItsName(Codec<?> codec) throws Exception {
        byte[] bytes = bytes(codec);

        assertThat(new ObjectInputStream(new ByteArrayInputStream(bytes)).readObject())
                .isSameAs(codec);
        assertThat(bytes).hasSizeLessThan(200);
    }

    private static byte[] bytes(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }
}
