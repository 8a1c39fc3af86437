package io.kipimo.examples.search.index;

import java.util.List;

/**
 * Words and phrases for queries, with their document frequencies.
 *
 * @param words of three letters or more, in alphabetical order
 * @param phrases pairs of neighbouring words, in alphabetical order
 */
public record Vocabulary(List<VocabularyEntry> words, List<VocabularyEntry> phrases) {

    /**
     * A word or a phrase.
     *
     * @param europarl number of documents of Europarl that contain it
     * @param wordNet number of documents of WordNet that contain it
     */
    public record VocabularyEntry(String text, int europarl, int wordNet) {
        VocabularyEntry plus(VocabularyEntry other) {
            return new VocabularyEntry(text, europarl + other.europarl, wordNet + other.wordNet);
        }

        boolean isPhrase() {
            return text.indexOf(' ') > 0;
        }
    }

    /** The vocabulary as text with one line per entry: {@code text \t europarl \t wordNet}. A phrase has a space. */
    public String toLines() {
        StringBuilder lines = new StringBuilder(words.size() * 16);
        for (List<VocabularyEntry> entries : List.of(words, phrases)) {
            for (VocabularyEntry entry : entries) {
                lines.append(entry.text).append('\t');
                lines.append(entry.europarl).append('\t').append(entry.wordNet).append('\n');
            }
        }
        return lines.toString();
    }

    /** Reads the output of {@link #toLines}. */
    public static Vocabulary ofLines(String lines) {
        List<VocabularyEntry> entries = lines.lines().map(Vocabulary::entry).toList();
        return new Vocabulary(
                entries.stream().filter(entry -> !entry.isPhrase()).toList(),
                entries.stream().filter(VocabularyEntry::isPhrase).toList());
    }

    private static VocabularyEntry entry(String line) {
        String[] fields = line.split("\t");
        return new VocabularyEntry(fields[0], Integer.parseInt(fields[1]), Integer.parseInt(fields[2]));
    }
}
