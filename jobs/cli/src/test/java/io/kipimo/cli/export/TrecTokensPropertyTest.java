package io.kipimo.cli.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

/** Identifiers are one column each for readers of TREC files, and can be had back. */
class TrecTokensPropertyTest {
    /** Where Python's {@code str.split()} splits, by which ir_measures and pytrec_eval read. */
    private static final String PYTHONS =
            "\t\n\u000b\f\r\u001c\u001d\u001e\u001f \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004"
                    + "\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000";

    private static final Pattern SPLIT = Pattern.compile("[" + PYTHONS + "]+");

    @Provide
    Arbitrary<String> ids() {
        return Arbitraries.strings()
                .withChars(PYTHONS)
                .withChars("%20aé+\ufeff\u200b\u180e")
                .withCharRange('\u0000', '\ud7ff')
                .ofMinLength(1)
                .ofMaxLength(12);
    }

    private static String undone(String token) {
        return URLDecoder.decode(token.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    @Property(seed = "20261126")
    void anIdIsOneColumnAndComesBack(@ForAll("ids") String id) {
        String line = "q " + TrecFiles.token(id) + " 1";
        assertThat(SPLIT.split(line)).hasSize(3);
        assertThat(line.split("(?U)\\s+")).hasSize(3);
        assertThat(undone(TrecFiles.token(id))).isEqualTo(id);
    }

    @Test
    void plainIdsStay() {
        assertThat(List.of("doc-7", "http://a/b?c=d", "ĳ😀", "a+b"))
                .allSatisfy(id -> assertThat(TrecFiles.token(id)).isEqualTo(id));
        assertThat(TrecFiles.token("New\u00a0York 100%")).isEqualTo("New%C2%A0York%20100%25");
        assertThat(TrecFiles.token("a\u2003b")).isEqualTo("a%E2%80%83b");
    }
}
