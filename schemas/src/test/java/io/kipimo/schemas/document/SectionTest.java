package io.kipimo.schemas.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.schemas.field.Key;
import io.kipimo.schemas.field.Range;
import io.kipimo.schemas.field.Unit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SectionTest {
    /** How a record is read. */
    public enum Speed {
        AT_ONCE,
        SLOWLY
    }

    /** One component of each type that has a key. */
    public record Tuning(
            Speed speed,
            boolean enabled,
            @Range(most = 1) double share,
            @Range(least = 1, most = 10) int most,
            @Range(leastOf = "most", most = 20) long limit,

            @Unit(Unit.Of.MILLIS) @Range(least = 10, most = 60_000)
            int waitMillis,

            @Key("largest-body") @Unit(Unit.Of.BYTES) @Range(most = 1 << 20)
            long bodyBytes,

            List<String> methods,
            Map<String, String> noKey) {
        static final Tuning DEFAULT =
                new Tuning(Speed.AT_ONCE, true, 0.5, 2, 4, 1_000, 100, List.of("GET"), Map.of("a", "b"));
    }

    private static Tuning read(String yaml) {
        return Section.read(Section.tree(yaml), Section.KeyStyle.HYPHENS, section -> section.record(Tuning.DEFAULT));
    }

    @Test
    void aRecordHasTheValuesOfItsKeys_andDefaultsForTheOthers() {
        assertThat(read("{}")).isEqualTo(Tuning.DEFAULT);
        assertThat(read("""
                        speed: slowly
                        enabled: false
                        share: 1
                        most: 5
                        limit: 6
                        wait: 2s
                        largest-body: 64k
                        methods: [POST]
                        """))
                .isEqualTo(
                        new Tuning(Speed.SLOWLY, false, 1, 5, 6, 2_000, 64 << 10, List.of("POST"), Map.of("a", "b")));
    }

    @Test
    void allProblemsAreReported_withKeyValueAndWhatIsAllowed() {
        assertThatThrownBy(() -> read("""
                        speed: fast
                        enabled: maybe
                        share: 1.5
                        most: 5
                        limit: 4
                        wait: 1h
                        largest-body: [1]
                        methods: POST
                        no-key: {}
                        """))
                .isInstanceOfSatisfying(InvalidDocumentException.class, e -> assertThat(e.problems())
                        .containsExactlyInAnyOrder(
                                "speed is 'fast'; allowed: at-once, slowly",
                                "enabled is 'maybe'; allowed: true, false",
                                "share is 1.5; allowed: 0..1",
                                "limit is 4; allowed: a whole number, 5..20",
                                "wait is '1h'; allowed: 10ms..60000ms, such as 250ms, 2s, 1m",
                                "largest-body is '[1]'; allowed: 0..1048576 bytes, such as 64k, 256m",
                                "methods is 'POST'; allowed: a list",
                                "no-key is unknown; allowed: speed, enabled, share, most, limit, wait, largest-body,"
                                        + " methods"));
    }
}
