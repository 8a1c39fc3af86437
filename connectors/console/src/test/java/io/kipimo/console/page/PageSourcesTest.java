package io.kipimo.console.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks the page's files without a browser. */
class PageSourcesTest {
    private static final Path PAGE = Path.of("src/main/resources/io/kipimo/console/page");
    private static final Pattern MARKUP =
            Pattern.compile("innerHTML\\s*=|outerHTML\\s*=|insertAdjacentHTML|document\\.write"
                    + "|createContextualFragment|\\beval\\(|new Function\\(");
    private static final Pattern INLINE = Pattern.compile("<style|\\sstyle=|\\son[a-z]+=|<script(?![^>]*src=)");
    private static final Pattern ELSEWHERE = Pattern.compile("(?:https?:)?//[a-z0-9-]+\\.[a-z]{2,}[^\"' )]*");
    private static final Pattern REFERENCE =
            Pattern.compile("(?:from |import |src=|href=)\"([^\"#:]+\\.(?:js|css|svg))\"");

    static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(PAGE)) {
            return all.filter(Files::isRegularFile).map(PAGE::relativize).toList();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void noTextBecomesMarkupAndNothingIsInline(Path file) throws IOException {
        String source = Files.readString(PAGE.resolve(file));
        assertThat(found(MARKUP, source)).isEmpty();
        if (file.toString().endsWith(".html")) {
            assertThat(found(INLINE, source)).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("files")
    void noFileLoadsFromOtherSites(Path file) throws IOException {
        assertThat(found(ELSEWHERE, Files.readString(PAGE.resolve(file))))
                .allMatch(name -> name.equals("http://www.w3.org/2000/svg"));
    }

    @ParameterizedTest
    @MethodSource("files")
    void referencedFilesExist(Path file) throws IOException {
        Path folder = PAGE.resolve(file).getParent();
        assertThat(REFERENCE
                        .matcher(Files.readString(PAGE.resolve(file)))
                        .results()
                        .map(r -> folder.resolve(r.group(1))))
                .allMatch(Files::isRegularFile);
    }

    private static List<String> found(Pattern pattern, String source) {
        return pattern.matcher(source).results().map(MatchResult::group).toList();
    }
}
