package io.kipimo.examples.search.index;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.util.BytesRef;

/** Term and collection statistics of all partitions together; read only, shared by searchers. */
final class CorpusStatistics {
    private final Map<BytesRef, TermStatistics> terms;
    private final CollectionStatistics collection;

    private CorpusStatistics(Map<BytesRef, TermStatistics> terms, CollectionStatistics collection) {
        this.terms = terms;
        this.collection = collection;
    }

    static CorpusStatistics of(List<DirectoryReader> partitions) throws IOException {
        Map<BytesRef, TermStatistics> terms = new HashMap<>();
        long documents = 0;
        long documentsWithTerms = 0;
        long occurrences = 0;
        long postings = 0;
        for (DirectoryReader partition : partitions) {
            Terms own = PartitionedIndex.termsOf(partition);
            documents += partition.maxDoc();
            documentsWithTerms += own.getDocCount();
            occurrences += own.getSumTotalTermFreq();
            postings += own.getSumDocFreq();
            TermsEnum cursor = own.iterator();
            for (BytesRef term = cursor.next(); term != null; term = cursor.next()) {
                BytesRef key = BytesRef.deepCopyOf(term);
                terms.merge(
                        key, new TermStatistics(key, cursor.docFreq(), cursor.totalTermFreq()), CorpusStatistics::sum);
            }
        }
        return new CorpusStatistics(
                terms,
                new CollectionStatistics(PartitionedIndex.TEXT, documents, documentsWithTerms, occurrences, postings));
    }

    TermStatistics of(BytesRef term) {
        return terms.get(term);
    }

    CollectionStatistics collection() {
        return collection;
    }

    private static TermStatistics sum(TermStatistics a, TermStatistics b) {
        return new TermStatistics(a.term(), a.docFreq() + b.docFreq(), a.totalTermFreq() + b.totalTermFreq());
    }
}
