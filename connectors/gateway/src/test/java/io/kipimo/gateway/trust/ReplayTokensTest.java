package io.kipimo.gateway.trust;

import static io.kipimo.gateway.trust.ReplayTokens.TokenVerdict.EXPIRED;
import static io.kipimo.gateway.trust.ReplayTokens.TokenVerdict.FORGED;
import static io.kipimo.gateway.trust.ReplayTokens.TokenVerdict.VALID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kipimo.gateway.http.TraceState;
import io.kipimo.schemas.document.InvalidDocumentException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReplayTokensTest {
    private static final String QUERY = "4bf92f3577b34da6a3ce929d0e0e4736";
    private static final long EXPIRY = 1_782_043_200_123L;

    private final ReplayTokens tokens = new ReplayTokens(FleetSecret.ofThisProcess());
    private final String token = tokens.issue(QUERY, EXPIRY);

    @Test
    void aTokenHoldsForItsQueryUntilItsTime() {
        assertThat(tokens.check(token, QUERY, EXPIRY - 1)).isEqualTo(VALID);
        assertThat(tokens.check(token, QUERY, EXPIRY)).isEqualTo(EXPIRED);
        assertThat(tokens.check(token, QUERY.replace('4', '5'), EXPIRY - 1)).isEqualTo(FORGED);
    }

    @Test
    void anyOtherCharacterAnywhereMakesItWorthless() {
        for (int i = 0; i < token.length(); i++) {
            for (char other = 0x20; other < 0x7f; other++) {
                if (other != token.charAt(i)) {
                    String changed = token.substring(0, i) + other + token.substring(i + 1);
                    assertThat(tokens.check(changed, QUERY, EXPIRY - 1))
                            .as(changed)
                            .isEqualTo(FORGED);
                }
            }
        }
        for (String other : List.of("", "replay", "replay-", token + "A", token + "=", "x" + token)) {
            assertThat(tokens.check(other, QUERY, 0)).as(other).isEqualTo(FORGED);
        }
        assertThat(tokens.check(token.replaceFirst("-[0-9a-f]+-", "-7fffffffffffffff-"), QUERY, 0))
                .as("with a later time")
                .isEqualTo(FORGED);
    }

    @Test
    void anotherProcessHasAnotherSecretUnlessAFileSaysIt(@TempDir Path directory) throws Exception {
        assertThat(new ReplayTokens(FleetSecret.ofThisProcess()).check(token, QUERY, EXPIRY - 1))
                .isEqualTo(FORGED);

        Path file = directory.resolve("secret");
        Files.writeString(file, "0123456789abcdef0123456789abcdef\n");
        String shared = new ReplayTokens(FleetSecret.of(file.toString())).issue(QUERY, EXPIRY);
        assertThat(new ReplayTokens(FleetSecret.of(file.toString())).check(shared, QUERY, EXPIRY - 1))
                .isEqualTo(VALID);
    }

    @Test
    void itIsAValueOfTracestate() {
        assertThat(TraceState.parse(List.of(TraceState.EMPTY.with(token).format())))
                .hasValueSatisfying(state -> assertThat(state.own()).containsExactly(token));
    }

    @Test
    void aSecretThatIsShortOrNotThereIsRefused(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("secret");
        Files.writeString(file, "tooshort");
        assertThatThrownBy(() -> FleetSecret.of(file.toString()))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessage("trust.secret-file is '"
                        + file
                        + "'; it has 8 characters; allowed: at least 32, as openssl rand -hex 32 prints")
                .message()
                .doesNotContain("tooshort");
        assertThatThrownBy(() -> FleetSecret.of("/not/there"))
                .isInstanceOf(InvalidDocumentException.class)
                .hasMessage("trust.secret-file is '/not/there'; allowed: a readable text file");
    }

    @Test
    void whatIsSignedForOnePurposeOrInOtherPartsIsSignedForNoOther() {
        FleetSecret secret = FleetSecret.ofThisProcess();
        byte[] a = {'a'};
        byte[] b = {'b'};
        byte[] ab = {'a', 'b'};
        byte[] none = {};
        assertThat(List.of(
                        secret.sign("x", List.of(a, b)),
                        secret.sign("y", List.of(a, b)),
                        secret.sign("x", List.of(ab)),
                        secret.sign("x", List.of(ab, none)),
                        secret.sign("x", List.of(none, ab)),
                        secret.sign("xa", List.of(b))))
                .doesNotHaveDuplicates();
    }
}
