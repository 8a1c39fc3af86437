package io.kipimo.gateway.trust;

import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.sdk.trace.TraceParent;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnIdsTest {
    /** The hashes are those of {@code printf %s ID | sha256sum}. */
    @ParameterizedTest
    @CsvSource({
        "0af7651916cd43dd8448eb211c80319c, 0af7651916cd43dd8448eb211c80319c",
        "0AF76519-16CD-43DD-8448-EB211C80319C, 0af7651916cd43dd8448eb211c80319c",
        "' query-7 ', 491083f9f65aae816f476e2fea0b4fdc",
        "00000000000000000000000000000000, 84e0c0eafaa95a34c293f278ac52e45c"
    })
    void anIdOfTheFormStaysAndOthersAreHashed(String own, String traceId) {
        assertThat(OwnIds.traceId(own)).isEqualTo(traceId);
    }

    @Test
    void spanAndFlagsOfTheCallerStay() {
        TraceParent named = new TraceParent("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331", 1);
        TraceParent trace = OwnIds.trace("query-7", Optional.of(named), new Random(1));

        assertThat(trace.traceId()).isEqualTo(OwnIds.traceId("query-7"));
        assertThat(trace.parentId()).isEqualTo(named.parentId());
        assertThat(trace.flags()).isEqualTo(1);
    }
}
