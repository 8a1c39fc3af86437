package io.kipimo.examples.search.index;

import io.kipimo.examples.search.corpus.Corpus;
import io.kipimo.examples.search.corpus.CorpusDocument;
import io.kipimo.examples.search.corpus.CorpusSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;

/** The corpus in partitions, in memory. */
public final class PartitionedIndex {
    /** The field that is searched: title and text. */
    static final String TEXT = "text";

    /** The field with the document's id. */
    static final String ID = "id";

    /** Factor of the hash: the golden ratio in 64 bits (Knuth, multiplicative hashing). */
    private static final long HASH_FACTOR = 0x9E3779B97F4A7C15L;

    private final List<Partition> partitions;
    private final Vocabulary vocabulary;
    private final QueryForecast forecast;

    private PartitionedIndex(List<Partition> partitions, Vocabulary vocabulary, QueryForecast forecast) {
        this.partitions = partitions;
        this.vocabulary = vocabulary;
        this.forecast = forecast;
    }

    /** An index with all of Europarl in the first partition, and WordNet round robin over three more. */
    public static PartitionedIndex skewed(Corpus corpus) {
        return skewed(corpus, Optional.empty());
    }

    /**
     * Makes the index of {@link #skewed(Corpus)}.
     *
     * @param cache directory that keeps its indexes for the next start; empty: none is kept
     */
    public static PartitionedIndex skewed(Corpus corpus, Optional<Path> cache) {
        List<List<CorpusDocument>> parts = new ArrayList<>();
        parts.add(corpus.of(CorpusSource.EUROPARL));
        for (int i = 0; i < 3; i++) {
            parts.add(new ArrayList<>());
        }
        for (CorpusDocument document : corpus.of(CorpusSource.WORDNET)) {
            parts.get(1 + (int) (document.id() % 3)).add(document);
        }
        return of(parts, readers -> new Vocabulary(words(parts, readers), phrases(parts)), cache.map(IndexCache::new));
    }

    /**
     * An index of the corpus with as many partitions as this one. A hash of a document's id chooses its partition, so
     * all partitions have the same mixture of sources.
     */
    public PartitionedIndex hashed(Corpus corpus) {
        List<List<CorpusDocument>> parts = new ArrayList<>();
        partitions.forEach(partition -> parts.add(new ArrayList<>()));
        for (CorpusDocument document : corpus.documents()) {
            parts.get((int) (hash(document.id()) % parts.size())).add(document);
        }
        return of(parts, readers -> vocabulary);
    }

    /**
     * An index of the corpus partitioned by topic, see {@link TopicClusters}.
     *
     * @param topics number of partitions
     */
    public PartitionedIndex byTopic(Corpus corpus, int topics) {
        int[] clusters = TopicClusters.of(corpus, topics);
        List<List<CorpusDocument>> parts = new ArrayList<>();
        for (int i = 0; i < topics; i++) {
            parts.add(new ArrayList<>());
        }
        for (int i = 0; i < clusters.length; i++) {
            parts.get(clusters[i]).add(corpus.documents().get(i));
        }
        return of(parts, readers -> vocabulary);
    }

    /**
     * An index of the corpus with as many partitions as this one. The first partition has the documents that were in
     * answers most often. The other documents are divided evenly among the other partitions by a hash of the id.
     *
     * @param answers ids of the documents of past answers; may be parallel
     */
    public PartitionedIndex byTier(Corpus corpus, Stream<long[]> answers) {
        Map<Long, Long> uses = answers.flatMap(ids -> Arrays.stream(ids).boxed())
                .collect(Collectors.groupingBy(id -> id, Collectors.counting()));
        List<CorpusDocument> hottestFirst = new ArrayList<>(corpus.documents());
        hottestFirst.sort(Comparator.comparingLong((CorpusDocument d) -> -uses.getOrDefault(d.id(), 0L))
                .thenComparingLong(d -> hash(d.id())));
        int count = partitions.size();
        int each = (hottestFirst.size() + count - 1) / count;
        List<List<CorpusDocument>> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(hottestFirst.subList(i * each, Math.min(hottestFirst.size(), (i + 1) * each)).stream()
                    .sorted(Comparator.comparingLong(CorpusDocument::id))
                    .toList());
        }
        return of(parts, readers -> vocabulary);
    }

    private static long hash(long id) {
        return (id * HASH_FACTOR) >>> 32;
    }

    /** An index with the whole corpus in one partition, as a reference for the partitioned index. */
    public static PartitionedIndex single(Corpus corpus) {
        return of(List.of(corpus.documents()));
    }

    private static PartitionedIndex of(List<List<CorpusDocument>> parts) {
        return of(parts, readers -> new Vocabulary(words(parts, readers), phrases(parts)));
    }

    /** Reads the vocabulary of indexed documents. */
    private interface VocabularyReader {
        Vocabulary read(List<DirectoryReader> readers) throws IOException;
    }

    private static PartitionedIndex of(List<List<CorpusDocument>> parts, VocabularyReader vocabulary) {
        return of(parts, vocabulary, Optional.empty());
    }

    private static PartitionedIndex of(
            List<List<CorpusDocument>> parts, VocabularyReader vocabulary, Optional<IndexCache> cache) {
        try {
            List<DirectoryReader> readers = parts.parallelStream()
                    .map(part -> cache.flatMap(c -> c.find(part)).orElseGet(() -> index(part, cache)))
                    .toList();
            CorpusStatistics statistics = CorpusStatistics.of(readers);
            List<Partition> partitions = new ArrayList<>();
            for (int i = 0; i < parts.size(); i++) {
                partitions.add(new Partition("partition-" + i, readers.get(i), statistics));
            }
            return new PartitionedIndex(List.copyOf(partitions), vocabulary.read(readers), new WordForecast(readers));
        } catch (IOException e) {
            throw new UncheckedIOException("an index in memory failed", e);
        }
    }

    public List<Partition> partitions() {
        return partitions;
    }

    public int documents() {
        return partitions.stream().mapToInt(Partition::documents).sum();
    }

    public Vocabulary vocabulary() {
        return vocabulary;
    }

    /** Predicts figures of a query before it is searched. */
    public QueryForecast forecast() {
        return forecast;
    }

    static Analyzer analyzer() {
        return new StandardAnalyzer();
    }

    static Terms termsOf(DirectoryReader reader) throws IOException {
        return MultiTerms.getTerms(reader, TEXT);
    }

    private static DirectoryReader index(List<CorpusDocument> documents, Optional<IndexCache> cache) {
        ByteBuffersDirectory directory = new ByteBuffersDirectory();
        // Lucene breaks ties by document order, so add documents in descending order of ids.
        IndexWriterConfig config = new IndexWriterConfig(analyzer())
                .setRAMBufferSizeMB(64)
                .setIndexSort(new Sort(new SortField(ID, SortField.Type.LONG, true)));
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            for (int i = documents.size() - 1; i >= 0; i--) {
                CorpusDocument document = documents.get(i);
                org.apache.lucene.document.Document fields = new org.apache.lucene.document.Document();
                fields.add(new NumericDocValuesField(ID, document.id()));
                fields.add(new TextField(TEXT, document.title() + "\n" + document.text(), Field.Store.NO));
                writer.addDocument(fields);
            }
            writer.forceMerge(1);
            writer.commit();
            cache.ifPresent(c -> c.keep(documents, directory));
            return DirectoryReader.open(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("an index in memory failed", e);
        }
    }

    /**
     * Words of the documents with their frequencies by source. If there are several partitions, each holds one source
     * only.
     */
    private static List<Vocabulary.VocabularyEntry> words(
            List<List<CorpusDocument>> parts, List<DirectoryReader> readers) throws IOException {
        Map<String, Vocabulary.VocabularyEntry> words = new TreeMap<>();
        for (int i = 0; i < parts.size(); i++) {
            CorpusSource source = parts.get(i).get(0).source();
            TermsEnum cursor = termsOf(readers.get(i)).iterator();
            for (BytesRef term = cursor.next(); term != null; term = cursor.next()) {
                String text = term.utf8ToString();
                if (isWord(text)) {
                    words.merge(text, entry(text, source, cursor.docFreq()), Vocabulary.VocabularyEntry::plus);
                }
            }
        }
        return List.copyOf(words.values());
    }

    /** Phrases of two neighbouring words, from the middle of every seventh document. */
    private static List<Vocabulary.VocabularyEntry> phrases(List<List<CorpusDocument>> parts) {
        Map<String, Vocabulary.VocabularyEntry> phrases = new TreeMap<>();
        for (List<CorpusDocument> documents : parts) {
            for (int i = 0; i < documents.size(); i += 7) {
                CorpusDocument document = documents.get(i);
                String[] words = document.text().toLowerCase(Locale.ROOT).split("\\s+");
                for (int w = words.length / 2; w + 1 < words.length; w++) {
                    if (isWord(words[w]) && isWord(words[w + 1])) {
                        String text = words[w] + " " + words[w + 1];
                        phrases.merge(text, entry(text, document.source(), 1), Vocabulary.VocabularyEntry::plus);
                        break;
                    }
                }
            }
        }
        return List.copyOf(phrases.values());
    }

    /** Returns whether a query can contain the text without escaping. */
    static boolean isWord(String text) {
        return text.length() >= 3 && text.codePoints().allMatch(Character::isLetter);
    }

    private static Vocabulary.VocabularyEntry entry(String text, CorpusSource source, int documents) {
        return source == CorpusSource.EUROPARL
                ? new Vocabulary.VocabularyEntry(text, documents, 0)
                : new Vocabulary.VocabularyEntry(text, 0, documents);
    }
}
