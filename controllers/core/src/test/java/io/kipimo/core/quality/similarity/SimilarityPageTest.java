package io.kipimo.core.quality.similarity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.kipimo.core.quality.merge.ItemDictionary;
import io.kipimo.core.quality.merge.Merges;
import io.kipimo.core.quality.merge.Part;
import io.kipimo.schemas.policy.MergePolicy;
import io.kipimo.schemas.quality.Items;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The figures in docs/similarity.md equal those of the code. */
class SimilarityPageTest {
    private static final List<String> PAGE = lines(Path.of("../../docs/similarity.md"));

    private record Case(Ranking online, Ranking mature) {}

    @Test
    void everyFigureEqualsTheFunctionsValue() {
        Map<String, Case> cases = new LinkedHashMap<>();
        rowsBelow("| case |").forEach(row -> cases.put(row.get(0), new Case(items(row.get(1)), items(row.get(2)))));
        List<List<String>> figures = rowsBelow("| function |");

        assertThat(cases).hasSize(6);
        assertThat(headers("| function |").subList(1, 7)).containsExactlyElementsOf(cases.keySet());
        for (List<String> row : figures) {
            Similarity similarity = Similarities.parse(row.get(0));
            List<String> computed = cases.values().stream()
                    .map(c -> similarity.of(c.online(), c.mature()))
                    .map(value -> String.format(Locale.ROOT, "%.4f", value))
                    .toList();
            assertThat(row.subList(1, row.size())).as(row.get(0)).isEqualTo(computed);
        }
    }

    @Test
    void emptyAndDisjointListsHaveOneResultWithEveryFunction() {
        Ranking five = items("a b c d e");
        rowsBelow("| function |").forEach(row -> {
            Similarity similarity = Similarities.parse(row.get(0));
            assertThat(similarity.of(items("a b"), Ranking.EMPTY))
                    .as(row.get(0))
                    .isEqualTo(1);
            assertThat(similarity.of(Ranking.EMPTY, five)).as(row.get(0)).isCloseTo(0, within(1e-9));
            assertThat(similarity.of(items("v w x y z"), five)).as(row.get(0)).isCloseTo(0, within(1e-9));
        });
    }

    @Test
    void everyFunctionIsDefinedAndHasFigures() {
        Set<String> figured = new HashSet<>();
        rowsBelow("| function |").forEach(row -> figured.add(withoutParameter(row.get(0))));
        Set<String> defined = PAGE.stream()
                .filter(line -> line.matches("- `[a-z_]+@[kp]`.*"))
                .map(line -> withoutParameter(line.substring(3)))
                .collect(Collectors.toSet());

        assertThat(figured).isEqualTo(defined).isEqualTo(allowedNames());
    }

    @Test
    void everyMergeEqualsTheDefaultMerge() {
        List<List<String>> rows = rowsBelow("| results |");

        assertThat(rows).hasSize(4);
        for (List<String> row : rows) {
            assertThat(merged(row.get(0), Integer.parseInt(row.get(1)))).isEqualTo(row.get(2));
        }
    }

    /** The names come from a refusal, so that this test fails for an undocumented new function. */
    private static Set<String> allowedNames() {
        try {
            Similarities.parse("none");
        } catch (IllegalArgumentException refusal) {
            String message = refusal.getMessage();
            String allowed = message.substring(message.indexOf("allowed: ") + "allowed: ".length());
            return Arrays.stream(allowed.split("[,; ]+"))
                    .filter(word -> word.contains("@"))
                    .map(SimilarityPageTest::withoutParameter)
                    .collect(Collectors.toSet());
        }
        throw new AssertionError("no function is called 'none'");
    }

    private static String merged(String results, int k) {
        List<String> ids = Arrays.stream(results.split("[ ,]+"))
                .map(item -> item.substring(0, item.indexOf(':')))
                .sorted()
                .distinct()
                .toList();
        List<Items> texts = new ArrayList<>();
        for (String result : results.split(", ")) {
            String[] items = result.split(" ");
            String[] names = new String[items.length];
            float[] scores = new float[items.length];
            for (int i = 0; i < items.length; i++) {
                names[i] = items[i].substring(0, items[i].indexOf(':'));
                scores[i] = Float.parseFloat(items[i].substring(items[i].indexOf(':') + 1));
            }
            texts.add(Items.ofTexts(names, scores));
        }
        ItemDictionary dictionary = ItemDictionary.of(texts);
        List<Part> parts = new ArrayList<>();
        for (Items items : texts) {
            parts.add(new Part("component-" + parts.size(), dictionary.toNumbers(items)));
        }
        Ranking answer = Merges.of(MergePolicy.TOP_K).merge(parts, k);
        return LongStream.of(answer.toArray())
                .mapToObj(number -> ids.get((int) number))
                .collect(Collectors.joining(" "));
    }

    private static Ranking items(String letters) {
        return Ranking.of(letters.replace(" ", "").chars().asLongStream().toArray());
    }

    private static String withoutParameter(String name) {
        return name.substring(0, name.indexOf('@'));
    }

    private static List<String> headers(String start) {
        return cells(PAGE.get(lineOf(start)));
    }

    private static List<List<String>> rowsBelow(String start) {
        return PAGE.stream()
                .skip(lineOf(start) + 2L)
                .takeWhile(line -> line.startsWith("|"))
                .map(SimilarityPageTest::cells)
                .toList();
    }

    private static int lineOf(String start) {
        for (int line = 0; line < PAGE.size(); line++) {
            if (PAGE.get(line).startsWith(start)) {
                return line;
            }
        }
        throw new AssertionError("the page has no table that begins with " + start);
    }

    private static List<String> cells(String row) {
        return Arrays.stream(row.substring(1, row.length() - 1).split("\\|", -1))
                .map(cell -> cell.replace("`", "").strip())
                .toList();
    }

    private static List<String> lines(Path page) {
        try {
            return Files.readAllLines(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
