package io.kipimo.harness.corpus;

import java.util.SplittableRandom;

/**
 * Documents of generated words. The frequency of a word is one over its rank, as it roughly is in a language. Equal
 * seeds give equal documents.
 */
public final class GeneratedCorpus {
    private static final int WORDS = 20_000;
    private static final int WORDS_A_TEXT = 30;
    private static final int WORDS_A_TITLE = 6;
    private static final String[] SYLLABLES = {
        "ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu"
    };

    private final SplittableRandom random;

    public GeneratedCorpus(long seed) {
        random = new SplittableRandom(seed);
    }

    public String title() {
        return words(WORDS_A_TITLE);
    }

    public String text() {
        return words(WORDS_A_TEXT);
    }

    private String words(int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : " ").append(word((int) Math.pow(WORDS, random.nextDouble())));
        }
        return text.toString();
    }

    /**
     * The word of a rank.
     *
     * @param rank from 1, which is the most frequent word
     */
    private static String word(int rank) {
        StringBuilder word = new StringBuilder();
        for (int rest = rank; rest > 0; rest /= SYLLABLES.length) {
            word.append(SYLLABLES[rest % SYLLABLES.length]);
        }
        return word.toString();
    }
}
