package io.kipimo.sdk.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What the grammar writes is read back; whatever else comes throws nothing. */
class FieldListPropertyTest {
    @Provide
    Arbitrary<List<List<String>>> lines() {
        return Arbitraries.strings()
                .withChars("ab,;=\"\\ \t")
                .ofMaxLength(8)
                .list()
                .ofMaxSize(4)
                .list()
                .ofMaxSize(3);
    }

    @Provide
    Arbitrary<List<String>> anything() {
        return Arbitraries.strings()
                .withChars("max-age=60,;\"\\ no-store")
                .ofMaxLength(40)
                .list()
                .ofMaxSize(3);
    }

    private static String quoted(String text) {
        return '"' + text.replaceAll("([\"\\\\])", "\\\\$1") + '"';
    }

    @Property(seed = "20261126")
    void quotedStringsAreReadBack(@ForAll("lines") List<List<String>> lines) {
        List<String> written = new ArrayList<>();
        List<String> wanted = new ArrayList<>();
        for (List<String> line : lines) {
            wanted.addAll(line);
            written.add(String.join(
                    " ,\t", line.stream().map(FieldListPropertyTest::quoted).toList()));
        }
        FieldList read = FieldList.of(written);
        assertThat(read.isWhole()).isTrue();
        assertThat(read.members().stream().map(FieldList::unquoted)).isEqualTo(wanted);
    }

    @Property(seed = "20261126")
    void aNumberIsFreshOnlyIfNothingForbidsIt(@ForAll("anything") List<String> lines) {
        CacheDirectives read = CacheDirectives.of(lines);
        OptionalLong seconds = read.seconds("max-age");
        if (seconds.isPresent() && seconds.getAsLong() > 0 && !read.forbidReuse()) {
            assertThat(String.join(",", lines)).contains("max-age=").doesNotContain(",no-store,");
        }
        assertThat(SharedCacheHit.isIn(name -> lines)).isFalse();
    }

    @Property(seed = "20261126")
    void datesAreReadOrRefused(@ForAll String text) {
        assertThat(HttpDate.epochSeconds("Sun, " + text, 0)).isEmpty();
    }
}
