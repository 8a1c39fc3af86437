package io.kipimo.examples.search.index;

import io.kipimo.examples.search.corpus.CorpusDocument;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.util.IOUtils;
import org.apache.lucene.util.Version;

/**
 * Keeps indexes for later starts of the service. Each is named by the version of Lucene and a hash of its documents. An
 * index that cannot be read or written counts as missing.
 *
 * @param directory created if missing
 */
record IndexCache(Path directory) {
    /**
     * Version of the index's form. To be increased when {@link PartitionedIndex} writes the same documents in another
     * way.
     */
    private static final int FORM = 1;

    /** The kept index of the documents, read into memory; empty if there is none. */
    Optional<DirectoryReader> find(List<CorpusDocument> documents) {
        Path kept = place(documents);
        if (!Files.isDirectory(kept)) {
            return Optional.empty();
        }
        ByteBuffersDirectory memory = new ByteBuffersDirectory();
        try (Directory files = FSDirectory.open(kept)) {
            copy(files, memory);
            DirectoryReader reader = DirectoryReader.open(memory);
            for (LeafReaderContext leaf : reader.leaves()) {
                leaf.reader().checkIntegrity();
            }
            return Optional.of(reader);
        } catch (IOException e) {
            delete(kept);
            return Optional.empty();
        }
    }

    void keep(List<CorpusDocument> documents, Directory index) {
        Path kept = place(documents);
        try {
            Files.createDirectories(directory);
            Path written = Files.createTempDirectory(directory, "new");
            try (Directory files = FSDirectory.open(written)) {
                copy(index, files);
                // Another process may have been first.
                Files.move(written, kept);
            } finally {
                delete(written);
            }
        } catch (IOException e) {
            // The next start makes it again.
        }
    }

    private Path place(List<CorpusDocument> documents) {
        try {
            MessageDigest hash = MessageDigest.getInstance("SHA-256");
            for (CorpusDocument document : documents) {
                String one = document.id() + "\n" + document.title() + "\n" + document.text() + "\n";
                hash.update(one.getBytes(StandardCharsets.UTF_8));
            }
            return directory.resolve("lucene-" + Version.LATEST + "-" + FORM + "-"
                    + HexFormat.of().formatHex(hash.digest(), 0, 16));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }

    private static void copy(Directory from, Directory to) throws IOException {
        for (String file : from.listAll()) {
            to.copyFrom(from, file, file, IOContext.READONCE);
        }
    }

    private static void delete(Path tree) {
        try {
            IOUtils.rm(tree);
        } catch (IOException e) {
            // What stays is found damaged, or is not looked for.
        }
    }
}
