package io.kipimo.core.invalidation;

import io.kipimo.core.invalidation.filter.Document;
import io.kipimo.core.invalidation.filter.DocumentBytes;
import io.kipimo.core.invalidation.filter.Filter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Encodes the parts of a cell's state ({@link CellSnapshot}) as bytes. Documents are written by {@link DocumentBytes};
 * filters and orders are written as documents in MongoDB's language. The bytes contain no version of their format, so
 * code that stores parts separately must store one.
 */
public final class CellBytes {
    private CellBytes() {}

    public static void write(RegisteredQuery query, DataOutput out) throws IOException {
        DocumentBytes.writeText(query.collection(), out);
        DocumentBytes.write(query.filter().toDocument(), out);
        DocumentBytes.write(query.order().toDocument(), out);
        DocumentBytes.writeLong(query.offset(), out);
        DocumentBytes.writeLong(query.limit(), out);
    }

    public static RegisteredQuery readQuery(DataInput in) throws IOException {
        return new RegisteredQuery(
                DocumentBytes.readText(in),
                Filter.ofAccepted(DocumentBytes.readDocument(in)),
                SortOrder.parse(DocumentBytes.readDocument(in)),
                DocumentBytes.readLong(in),
                DocumentBytes.readLong(in));
    }

    public static void write(CellSnapshot.RecordSnapshot record, DataOutput out) throws IOException {
        DocumentBytes.writeText(record.collection(), out);
        DocumentBytes.writeText(record.recordId(), out);
        DocumentBytes.writeLong(record.version(), out);
        DocumentBytes.writeLong(record.writtenAtMillis(), out);
        out.writeBoolean(record.isRecent());
        writeImage(record.image(), out);
        writeVersions(record.matches(), out);
    }

    public static CellSnapshot.RecordSnapshot readRecord(DataInput in) throws IOException {
        return new CellSnapshot.RecordSnapshot(
                DocumentBytes.readText(in),
                DocumentBytes.readText(in),
                DocumentBytes.readLong(in),
                DocumentBytes.readLong(in),
                in.readBoolean(),
                readImage(in),
                readVersions(in));
    }

    public static void write(AfterImage write, DataOutput out) throws IOException {
        DocumentBytes.writeText(write.collection(), out);
        DocumentBytes.writeText(write.recordId(), out);
        DocumentBytes.writeLong(write.version(), out);
        DocumentBytes.writeLong(write.writtenAtMillis(), out);
        writeImage(write.image(), out);
    }

    public static AfterImage readWrite(DataInput in) throws IOException {
        return new AfterImage(
                DocumentBytes.readText(in),
                DocumentBytes.readText(in),
                DocumentBytes.readLong(in),
                DocumentBytes.readLong(in),
                readImage(in));
    }

    private static void writeImage(Optional<Document> image, DataOutput out) throws IOException {
        out.writeBoolean(image.isPresent());
        if (image.isPresent()) {
            DocumentBytes.write(image.get(), out);
        }
    }

    private static Optional<Document> readImage(DataInput in) throws IOException {
        return in.readBoolean() ? Optional.of(DocumentBytes.readDocument(in)) : Optional.empty();
    }

    private static void writeVersions(Map<String, Long> versions, DataOutput out) throws IOException {
        DocumentBytes.writeLength(versions.size(), out);
        for (Map.Entry<String, Long> version : versions.entrySet()) {
            DocumentBytes.writeText(version.getKey(), out);
            DocumentBytes.writeLong(version.getValue(), out);
        }
    }

    private static Map<String, Long> readVersions(DataInput in) throws IOException {
        int size = DocumentBytes.readLength(in);
        Map<String, Long> versions = new HashMap<>();
        for (int i = 0; i < size; i++) {
            versions.put(DocumentBytes.readText(in), DocumentBytes.readLong(in));
        }
        return versions;
    }
}
