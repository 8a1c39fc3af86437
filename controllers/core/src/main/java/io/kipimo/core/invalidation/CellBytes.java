package io.kipimo.core.invalidation;

import io.kipimo.core.invalidation.filter.Document;
import io.kipimo.core.invalidation.filter.DocumentBytes;
import io.kipimo.core.invalidation.filter.Filter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Encodes cells and their parts as bytes: documents by {@link DocumentBytes}, filters and orders as their documents in
 * MongoDB's language. Parts have no version of their own; code that stores parts separately must store one.
 */
public final class CellBytes {
    /** Version of the form that {@link #toBytes} writes. */
    private static final byte VERSION = 1;

    private CellBytes() {}

    /** Encodes a whole cell, with a version first. */
    public static byte[] toBytes(CellSnapshot snapshot) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeByte(VERSION);
            out.writeLong(snapshot.horizonMillis());
            DocumentBytes.writeLength(snapshot.queries().size(), out);
            for (Map.Entry<String, RegisteredQuery> query : snapshot.queries().entrySet()) {
                DocumentBytes.writeText(query.getKey(), out);
                write(query.getValue(), out);
            }
            DocumentBytes.writeLength(snapshot.records().size(), out);
            for (CellSnapshot.RecordSnapshot record : snapshot.records()) {
                write(record, out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** @throws IllegalArgumentException if the bytes are not a cell or have an unknown version */
    public static CellSnapshot fromBytes(byte[] bytes) {
        try {
            DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
            byte version = in.readByte();
            if (version != VERSION) {
                throw new IllegalArgumentException("cell has version " + version + "; allowed: " + VERSION);
            }
            long horizonMillis = in.readLong();
            Map<String, RegisteredQuery> queries = new LinkedHashMap<>();
            for (int left = DocumentBytes.readLength(in); left > 0; left--) {
                queries.put(DocumentBytes.readText(in), readQuery(in));
            }
            List<CellSnapshot.RecordSnapshot> records = new ArrayList<>();
            for (int left = DocumentBytes.readLength(in); left > 0; left--) {
                records.add(readRecord(in));
            }
            return new CellSnapshot(horizonMillis, queries, records);
        } catch (IOException e) {
            throw new IllegalArgumentException("cell cannot be read: " + e.getMessage(), e);
        }
    }

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
