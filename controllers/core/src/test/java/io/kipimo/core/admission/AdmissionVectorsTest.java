package io.kipimo.core.admission;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kipimo.core.vectors.VectorFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** {@code admission-vectors.json}: expected admission by fraction, for all languages. */
class AdmissionVectorsTest {
    private static final double[] FRACTIONS = {0, 0.01, 0.1, 0.5, 0.99, 1};

    /** Both ends of an hour in the past, and one in 2026. */
    private static final long[] TIMES = {0, 3_599_999, 3_600_000, 1_782_043_200_123L};

    private static List<String> ids() {
        List<String> ids = new ArrayList<>(List.of(
                "4bf92f3577b34da6a3ce929d0e0e4736",
                "4BF92F3577B34DA6A3CE929D0E0E4736",
                "user-17",
                "größe-日本",
                "🔍-1",
                "long-".repeat(60)));
        SplittableRandom random = new SplittableRandom(18);
        for (int i = 0; i < 10; i++) {
            ids.add("%016x%016x".formatted(random.nextLong(), random.nextLong()));
        }
        return ids;
    }

    @Test
    void areWhatTheFileSays() throws IOException {
        ObjectNode file = JsonNodeFactory.instance.objectNode();
        file.put(
                "rule",
                "hash: xxHash64 of the id's UTF-8 bytes, seed 0x4B69706900000000 +"
                        + " floor(epochMillis / 3600000). u = (hash >>> 11) / 2^53. admitted:"
                        + " u < fraction; at a fraction of 1 everybody.");
        ArrayNode vectors = file.putArray("vectors");
        for (String id : ids()) {
            for (long time : TIMES) {
                ObjectNode vector = vectors.addObject();
                vector.put("id", id);
                vector.put("epochMillis", time);
                vector.put("hash", "%016x".formatted(HashAdmission.hash(id, time)));
                ObjectNode admitted = vector.putObject("admitted");
                for (double fraction : FRACTIONS) {
                    admitted.put(text(fraction), HashAdmission.admits(id, fraction, time));
                }
            }
        }
        VectorFile.check("admission-vectors.json", file);
    }

    private static String text(double fraction) {
        return fraction == Math.rint(fraction) ? Integer.toString((int) fraction) : Double.toString(fraction);
    }
}
