package io.kipimo.examples.search.index;

import io.kipimo.schemas.quality.Features;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.util.BytesRef;

/**
 * Forecasts from the number of documents with each word, by partition. A broker of selective search keeps such numbers
 * (CORI, Taily).
 */
final class WordForecast implements QueryForecast {
    /** Number of steps to which shares are rounded, so that many queries teach each step. */
    private static final int STEPS = 10;

    private final int partitions;
    private final long documents;
    private final Map<String, int[]> documentsWith = new HashMap<>();

    WordForecast(List<DirectoryReader> readers) throws IOException {
        partitions = readers.size();
        documents = readers.stream().mapToLong(DirectoryReader::numDocs).sum();
        for (int partition = 0; partition < partitions; partition++) {
            TermsEnum cursor = PartitionedIndex.termsOf(readers.get(partition)).iterator();
            for (BytesRef term = cursor.next(); term != null; term = cursor.next()) {
                String word = term.utf8ToString();
                if (PartitionedIndex.isWord(word)) {
                    documentsWith.computeIfAbsent(word, w -> new int[partitions])[partition] = cursor.docFreq();
                }
            }
        }
    }

    /**
     * Sum over the query's words of the work that each causes. For a plain word, these are the postings to read, one
     * for each document with the word. For a word with an unknown beginning or with edits, these are the terms to look
     * through, which are all known words.
     */
    @Override
    public double cost(String query) {
        double cost = 1;
        for (String word : words(query)) {
            int[] counts = documentsWith.get(word);
            if (word.startsWith("*") || word.contains("~")) {
                cost += documentsWith.size();
            } else if (counts != null) {
                cost += Arrays.stream(counts).sum();
            }
        }
        return cost;
    }

    /**
     * Features of a query. There are two for each partition: its share of the documents with the query's rarest word,
     * and its mean share over all words, weighted by their inverse document frequency. The words themselves follow.
     */
    @Override
    public Features features(String query) {
        double[] mean = new double[partitions];
        double weights = 0;
        int[] rarest = null;
        int fewest = Integer.MAX_VALUE;
        for (String word : words(query)) {
            int[] counts = documentsWith.get(word);
            if (counts == null) {
                continue;
            }
            int all = Arrays.stream(counts).sum();
            double weight = Math.log1p((double) documents / all);
            weights += weight;
            for (int p = 0; p < partitions; p++) {
                mean[p] += weight * counts[p] / all;
            }
            if (all < fewest) {
                fewest = all;
                rarest = counts;
            }
        }
        List<String> features = new ArrayList<>();
        for (int p = 0; rarest != null && p < partitions; p++) {
            features.add("rarest " + p + " " + step((double) rarest[p] / fewest));
            features.add("mean " + p + " " + step(mean[p] / weights));
        }
        features.addAll(List.of(words(query)));
        return Features.ofTexts(features);
    }

    private static long step(double share) {
        return Math.round(STEPS * share);
    }

    private static String[] words(String query) {
        return query.replace('"', ' ').trim().split("\\s+");
    }
}
