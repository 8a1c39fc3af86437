package io.kipimo.gateway.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;

class LastPieceTest {
    @Test
    void thePieceThatCompletesADeclaredLengthIsHeldBack() {
        LastPiece last = new LastPiece("5");
        assertThat(last.holdsBack(Buffer.buffer("ab"))).isFalse();
        assertThat(last.holdsBack(Buffer.buffer("cd"))).isFalse();
        assertThat(last.held()).isNull();
        assertThat(last.holdsBack(Buffer.buffer("e"))).isTrue();
        assertThat(last.held()).isEqualTo(Buffer.buffer("e"));
    }

    @Test
    void aBodyInOnePieceIsHeldBack() {
        LastPiece last = new LastPiece("3");
        assertThat(last.holdsBack(Buffer.buffer("abc"))).isTrue();
        assertThat(last.held()).isEqualTo(Buffer.buffer("abc"));
    }

    @Test
    void nothingIsHeldBackWithoutADeclaredLength() {
        LastPiece last = new LastPiece(null);
        assertThat(last.holdsBack(Buffer.buffer("abc"))).isFalse();
        assertThat(last.held()).isNull();
    }
}
