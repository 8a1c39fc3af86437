package io.kipimo.gateway.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TraceStateTest {
    private static Optional<List<String>> entries(String... lines) {
        return TraceState.parse(List.of(lines)).map(TraceState::entries);
    }

    /** Examples and rules of W3C Trace Context, level 2, sec. 3.3. */
    @Test
    void whatTheSpecificationAllowsIsRead() {
        assertThat(entries("rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"))
                .contains(List.of("rojo=00f067aa0ba902b7", "congo=t61rcWkgMzE"));
        assertThat(entries("fw529a3039@dt=FfffffeC8,1a-2f@foo=bar1"))
                .contains(List.of("fw529a3039@dt=FfffffeC8", "1a-2f@foo=bar1"));
        assertThat(entries("a=1 \t, \tb=2", "c=3")).contains(List.of("a=1", "b=2", "c=3"));
        assertThat(entries(" a=1", "", " ,b=2, ")).contains(List.of("a=1", "b=2"));
        assertThat(entries("a= x !~")).contains(List.of("a= x !~"));
        assertThat(entries()).contains(List.of());
        assertThat(entries("a" + "b".repeat(255) + "=" + "v".repeat(256)).orElseThrow())
                .hasSize(1);
        assertThat(entries(many(32)).orElseThrow()).hasSize(32);
    }

    private static String many(int entries) {
        return IntStream.range(0, entries).mapToObj(i -> "k" + i + "=v").collect(Collectors.joining(","));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u00a0kipimo=replay",
                "\u0085kipimo=replay",
                "\u00c2\u00a0kipimo=replay",
                "\u000bkipimo=replay",
                "\u000ckipimo=replay",
                "\u001fkipimo=replay",
                "\u007fkipimo=replay",
                "\u2028kipimo=replay",
                "\u3000kipimo=replay",
                "a=1,\u00a0kipimo=replay",
                "kipimo=replay\u00a0",
                "kipimo =replay",
                "kipimo\t=replay",
                "KIPIMO=replay",
                "Kipimo=replay",
                "kipimo=replay=",
                "kipimo=",
                "kipimo",
                "=replay",
                "a=1;kipimo=replay",
                "_a=1",
                "@a=1",
                "a.b=1"
            })
    void whatItDoesNotAllowIsNotRead(String line) {
        assertThat(entries(line)).isEmpty();
        assertThat(entries("b=2", line)).isEmpty();
    }

    @Test
    void boundsAreHeld() {
        assertThat(entries(many(33))).isEmpty();
        assertThat(entries("a" + "b".repeat(256) + "=1")).isEmpty();
        assertThat(entries("a=" + "v".repeat(257))).isEmpty();
        assertThat(entries(" ".repeat(16_000) + "a")).as("in linear time").isEmpty();
    }

    @Test
    void ownEntriesAreTakenOutAndPutFirst() {
        TraceState state =
                TraceState.parse(List.of("a=1,kipimo=x", "kipimo=y,b=2")).orElseThrow();
        assertThat(state.own()).containsExactly("x", "y");
        assertThat(state.without().format()).isEqualTo("a=1,b=2");
        assertThat(state.with("z").format()).isEqualTo("kipimo=z,a=1,b=2");
        assertThat(TraceState.parse(List.of("x@kipimo=a,kipimo2=b"))
                        .orElseThrow()
                        .own())
                .isEmpty();
        assertThat(TraceState.parse(List.of(many(32))).orElseThrow().with("z").entries())
                .hasSize(32)
                .startsWith("kipimo=z", "k0=v")
                .endsWith("k30=v");
    }
}
