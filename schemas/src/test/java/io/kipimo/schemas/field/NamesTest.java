package io.kipimo.schemas.field;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NamesTest {
    private static final String EMOJI = "\ud83d\ude00";

    @Test
    void aTextIsCutBetweenCharacters() {
        assertThat(Names.cut("ab" + EMOJI, 4)).isEqualTo("ab" + EMOJI);
        assertThat(Names.cut("ab" + EMOJI, 3)).isEqualTo("ab");
        assertThat(Names.cut("a" + EMOJI + "b", 3)).isEqualTo("a" + EMOJI);
        assertThat(Names.cut(EMOJI, 0)).isEmpty();
    }

    @Test
    void aNameStaysAsItIs() {
        for (String name : new String[] {"titles", "größe", "検索", EMOJI, " ", "a b", "x".repeat(256)}) {
            assertThat(Names.isName(name)).isTrue();
            assertThat(Names.cleaned(name)).isSameAs(name);
            assertThat(Names.identifier(name)).isSameAs(name);
        }
    }

    @Test
    void charactersThatNoNameMayHaveAreReplaced() {
        assertThat(Names.cleaned("titles\u009b1")).isEqualTo("titles_1");
        assertThat(Names.cleaned("shard/3")).isEqualTo("shard_3");
        assertThat(Names.cleaned("a\u0000\u007fb")).isEqualTo("a__b");
        assertThat(Names.cleaned("\ud83d" + EMOJI + "\ude00")).isEqualTo("_" + EMOJI + "_");
    }

    @Test
    void aLongNameIsCutBetweenCharacters() {
        assertThat(Names.cleaned("x".repeat(10_000))).isEqualTo("x".repeat(256));
        assertThat(Names.cleaned("x".repeat(255) + EMOJI)).isEqualTo("x".repeat(255));
        assertThat(Names.cleaned("x".repeat(254) + EMOJI + "y")).isEqualTo("x".repeat(254) + EMOJI);
    }

    @Test
    void nothingIsNoName() {
        assertThat(Names.cleaned("")).isEmpty();
        assertThat(Names.cleaned(null)).isEmpty();
        assertThat(Names.identifier("")).isEmpty();
        assertThat(Names.identifier(null)).isEmpty();
    }

    /** The digest is that of {@code printf 'a/\x01' | sha256sum}. */
    @Test
    void anIdentifierKeepsApartWhatIsDifferent() {
        assertThat(Names.identifier("a/b")).isEqualTo("a/b");
        assertThat(Names.identifier("a/\u0001")).isEqualTo("sha256:05d2938af4686983a5541f0d7837a128");
        assertThat(Names.identifier("x".repeat(256) + "1")).isNotEqualTo(Names.identifier("x".repeat(256) + "2"));
        assertThat(Names.identifier("a\ud83d")).isEqualTo(Names.identifier("a\ud83c"));
    }

    @Test
    void noCharacterOfAPrintableTextControlsATerminalOrTheDirection() {
        assertThat(Names.printable("a\u001b[31m\u009b\u202eb\u2028\ud83d" + EMOJI))
                .isEqualTo("a?[31m??b??" + EMOJI);
        assertThat(Names.printable("größe / 検索 שלום")).isEqualTo("größe / 検索 שלום");
    }

    @Test
    void jsonKeepsItsMeaning() {
        assertThat(Names.escapedJson("{\n \"a\u009b\u202e\": \"größe\"}"))
                .isEqualTo("{\n \"a\\u009b\\u202e\": \"größe\"}");
    }
}
