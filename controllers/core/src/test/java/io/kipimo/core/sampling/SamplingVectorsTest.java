package io.kipimo.core.sampling;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.kipimo.core.vectors.VectorFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** {@code sampling-vectors.json}: which ids are sampled at which rate, in every language. */
class SamplingVectorsTest {
    private static final double[] RATES = {0.01, 0.1, 0.5, 1};

    private static List<String> ids() {
        List<String> ids = new ArrayList<>(List.of(
                "4bf92f3577b34da6a3ce929d0e0e4736",
                // On both sides of the threshold of 0.01, 0.1 and 0.5.
                "000000000000000000fd70a3d70a3d71",
                "000000000000000000fd70a3d70a3d70",
                "000000000000000000e6666666666666",
                "000000000000000000e6666666666665",
                "00000000000000000080000000000000",
                "0000000000000000007fffffffffffff",
                // The upper 72 bits have no effect.
                "ffffffffffffffffff00000000000000",
                "000000000000000000ffffffffffffff",
                // These are hashed, since they do not have the form of a W3C trace
                // id.
                "4BF92F3577B34DA6A3CE929D0E0E4736",
                "00000000000000000000000000000000",
                "4bf92f3577b34da6a3ce929d0e0e473",
                "4bf92f3577b34da6a3ce929d0e0e4736a",
                "4bf92f3577b34da6a3ce929d0e0e473g",
                "4bf92f35-77b3-4da6-a3ce-929d0e0e4736",
                "1-5759e988-bd862e3fe1be46a994272793",
                "query-17",
                "a",
                "größe-日本",
                "🔍-1",
                "long-".repeat(60)));
        SplittableRandom random = new SplittableRandom(17);
        for (int i = 0; i < 20; i++) {
            ids.add("%016x%016x".formatted(random.nextLong(), random.nextLong()));
            ids.add("order/" + Long.toString(random.nextLong(Long.MAX_VALUE), 36));
        }
        return ids;
    }

    @Test
    void areWhatTheFileSays() throws IOException {
        ObjectNode file = JsonNodeFactory.instance.objectNode();
        file.put(
                "rule",
                "randomness R: of an id of 32 lower-case hexadecimal digits that are not all zero"
                        + " its rightmost 56 bits; of every other id the rightmost 56 bits of"
                        + " xxHash64, seed 0, over its UTF-8 bytes. threshold T ="
                        + " 2^56 - round(rate * 2^56). sampled: R >= T.");
        ObjectNode thresholds = file.putObject("thresholds");
        for (double rate : RATES) {
            thresholds.put(text(rate), hex(ConsistentSampling.threshold(rate)));
        }
        ArrayNode vectors = file.putArray("vectors");
        for (String id : ids()) {
            ObjectNode vector = vectors.addObject();
            vector.put("id", id);
            vector.put("randomness", hex(ConsistentSampling.randomness(id)));
            ObjectNode sampled = vector.putObject("sampled");
            for (double rate : RATES) {
                sampled.put(text(rate), ConsistentSampling.isSampled(id, rate));
            }
        }
        VectorFile.check("sampling-vectors.json", file);
    }

    private static String text(double rate) {
        return rate == 1 ? "1" : Double.toString(rate);
    }

    private static String hex(long randomness) {
        return "%014x".formatted(randomness);
    }
}
