package io.kipimo.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links between the pages of this repository have a target, and every page is listed in the index. */
class DocumentationTest {
    private static final int README_LINES = 120;

    /** Text or image in brackets, then the target, perhaps with a title. */
    private static final Pattern LINK =
            Pattern.compile("\\[(?:[^\\[\\]]|\\[[^\\]]*\\](?:\\([^)]*\\))?)*\\]\\(([^)\\s]+)[^)]*\\)");

    private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*?)(?: +#+)?$");

    @Test
    void everyRelativeLinkLeadsToAFileAndAHeading() {
        Set<String> broken = new HashSet<>();
        int links = 0;
        for (Path page : pages()) {
            for (String target : targets(Repository.text(page))) {
                links++;
                String problem = problem(page, target);
                if (problem != null) {
                    broken.add(Repository.ROOT.relativize(page) + ": " + target + ": " + problem);
                }
            }
        }

        assertThat(broken).isEmpty();
        assertThat(links).as("links that were looked at").isGreaterThan(100);
    }

    @Test
    void everyPageOfTheDocsIsInTheirIndex() {
        Path index = Repository.ROOT.resolve("docs/README.md");
        Path decisions = Repository.ROOT.resolve("docs/decisions/README.md");
        Set<Path> listed = new HashSet<>(Set.of(index));
        for (Path page : List.of(index, decisions)) {
            for (String target : targets(Repository.text(page))) {
                if (isRelative(target)) {
                    listed.add(page.resolveSibling(withoutAnchor(target)).normalize());
                }
            }
        }

        assertThat(listed).containsAll(markdownBelow(Repository.ROOT.resolve("docs")));
    }

    @Test
    void theReadmeIsShort() {
        assertThat(Repository.text(Repository.ROOT.resolve("README.md")).lines().count())
                .isLessThanOrEqualTo(README_LINES);
    }

    @Test
    void anchorsAreMadeAsGitHubMakesThem() {
        assertThat(anchors("# The `gate`, a [link](x.md) & more\n## Twice\n## Twice\n"))
                .containsExactlyInAnyOrder("the-gate-a-link--more", "twice", "twice-1");
        assertThat(anchors("```\n# no heading\n```\n")).isEmpty();
    }

    @Test
    void linksAreFoundOutsideOfCodeOnly() {
        assertThat(targets("""
                                [a](b.md#c) `[no](d.md)` [![image](e.png)](f.md)
                                ```
                                [no](g.md)
                                ```
                                """)).containsExactlyInAnyOrder("b.md#c", "e.png", "f.md");
    }

    private static List<Path> pages() {
        List<Path> pages = new ArrayList<>();
        try (Stream<Path> files = Files.list(Repository.ROOT)) {
            files.filter(DocumentationTest::isMarkdown).forEach(pages::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        pages.addAll(markdownBelow(Repository.ROOT.resolve("docs")));
        pages.addAll(markdownBelow(Repository.ROOT.resolve(".github")));
        return pages;
    }

    private static List<Path> markdownBelow(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(DocumentationTest::isMarkdown).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isMarkdown(Path file) {
        return file.toString().endsWith(".md");
    }

    /** Null if there is none. */
    private static String problem(Path page, String target) {
        if (!isRelative(target)) {
            return null;
        }
        int hash = target.indexOf('#');
        Path file = hash == 0
                ? page
                : page.resolveSibling(URI.create(withoutAnchor(target)).getPath())
                        .normalize();
        if (!file.startsWith(Repository.ROOT) || !Files.exists(file)) {
            return "no such file";
        }
        if (hash >= 0 && isMarkdown(file) && !anchors(Repository.text(file)).contains(target.substring(hash + 1))) {
            return "no such heading";
        }
        return null;
    }

    private static boolean isRelative(String target) {
        return !target.contains("://") && !target.startsWith("mailto:");
    }

    private static String withoutAnchor(String target) {
        int hash = target.indexOf('#');
        return hash < 0 ? target : target.substring(0, hash);
    }

    private static List<String> targets(String markdown) {
        List<String> targets = new ArrayList<>();
        for (String line : prose(markdown)) {
            String rest = line.replaceAll("`[^`]*`", "");
            Matcher link = LINK.matcher(rest);
            while (link.find()) {
                targets.add(link.group(1));
                String inner = link.group().substring(1, link.group().lastIndexOf(']'));
                targets.addAll(targets(inner));
            }
        }
        return targets;
    }

    private static Set<String> anchors(String markdown) {
        Map<String, Integer> seen = new HashMap<>();
        Set<String> anchors = new HashSet<>();
        for (String line : prose(markdown)) {
            Matcher heading = HEADING.matcher(line);
            if (!heading.matches()) {
                continue;
            }
            String slug = heading.group(1)
                    .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            int before = seen.merge(slug, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? slug : slug + "-" + before);
        }
        return anchors;
    }

    /** The lines outside of fenced code. */
    private static List<String> prose(String markdown) {
        List<String> lines = new ArrayList<>();
        boolean isCode = false;
        for (String line : markdown.lines().toList()) {
            if (line.stripLeading().startsWith("```")) {
                isCode = !isCode;
            } else if (!isCode) {
                lines.add(line);
            }
        }
        return lines;
    }
}
