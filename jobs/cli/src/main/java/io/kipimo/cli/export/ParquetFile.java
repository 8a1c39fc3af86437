package io.kipimo.cli.export;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a Parquet file of flat, optional columns: plain encoding, gzip, one page a column of each
 * row group (<a href="https://parquet.apache.org/docs/file-format/">format</a>). The format's own
 * library would bring Hadoop's class path.
 *
 * @param <R> a row
 */
final class ParquetFile<R> implements Closeable {
    /** Rows that are kept in memory until they are written. */
    private static final int GROUP_ROWS = 100_000;

    private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
    private static final int GZIP = 2;
    private static final int PLAIN = 0;
    private static final int RLE = 3;
    private static final int OPTIONAL = 1;

    /** Type of a column's values, with its numbers in the format. */
    enum ColumnType {
        BOOLEAN(0, -1),
        INT(1, -1),
        /** Epoch milliseconds. */
        TIMESTAMP(2, 9),
        DOUBLE(5, -1),
        TEXT(6, 0);

        private final int physical;
        private final int converted;

        ColumnType(int physical, int converted) {
            this.physical = physical;
            this.converted = converted;
        }
    }

    /**
     * A column.
     *
     * @param value a Boolean, Integer, Long, Double or String by type; null: no value
     */
    record Column<R>(String name, ColumnType type, Function<R, Object> value) {}

    private final OutputStream out;
    private final List<Column<R>> columns;
    private final List<R> rows = new ArrayList<>();
    private final List<CompactThrift> groups = new ArrayList<>();
    private long position;
    private long written;

    ParquetFile(OutputStream out, List<Column<R>> columns) throws IOException {
        this.out = out;
        this.columns = List.copyOf(columns);
        write(MAGIC);
    }

    void add(R row) throws IOException {
        rows.add(row);
        if (rows.size() == GROUP_ROWS) {
            flush();
        }
    }

    /** Rows that were added. */
    long size() {
        return written + rows.size();
    }

    private void flush() throws IOException {
        if (rows.isEmpty()) {
            return;
        }
        List<CompactThrift> chunks = new ArrayList<>();
        long start = position;
        for (Column<R> column : columns) {
            chunks.add(chunk(column));
        }
        groups.add(
                new CompactThrift()
                        .structs(1, chunks)
                        .number(2, position - start)
                        .number(3, (long) rows.size()));
        written += rows.size();
        rows.clear();
    }

    /** Writes the page of one column, and returns its ColumnChunk. */
    private CompactThrift chunk(Column<R> column) throws IOException {
        byte[] plain = page(column);
        byte[] packed = packed(plain);
        byte[] header =
                new CompactThrift()
                        .number(1, 0)
                        .number(2, plain.length)
                        .number(3, packed.length)
                        .struct(
                                5,
                                new CompactThrift()
                                        .number(1, rows.size())
                                        .number(2, PLAIN)
                                        .number(3, RLE)
                                        .number(4, RLE))
                        .bytes();
        long at = position;
        write(header);
        write(packed);
        CompactThrift data =
                new CompactThrift()
                        .number(1, column.type().physical)
                        .numbers(2, List.of(PLAIN, RLE))
                        .texts(3, List.of(column.name()))
                        .number(4, GZIP)
                        .number(5, (long) rows.size())
                        .number(6, (long) header.length + plain.length)
                        .number(7, (long) header.length + packed.length)
                        .number(9, at);
        return new CompactThrift().number(2, at).struct(3, data);
    }

    private byte[] page(Column<R> column) {
        ByteArrayOutputStream levels = new ByteArrayOutputStream();
        ByteArrayOutputStream values = new ByteArrayOutputStream();
        Bits bits = new Bits(values);
        boolean present = false;
        int run = 0;
        for (R row : rows) {
            Object value = column.value().apply(row);
            if (run > 0 && present != (value != null)) {
                level(levels, run, present);
                run = 0;
            }
            present = value != null;
            run++;
            if (value != null) {
                plain(column.type(), value, values, bits);
            }
        }
        level(levels, run, present);
        bits.end();
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        page.writeBytes(little(4).putInt(levels.size()).array());
        page.writeBytes(levels.toByteArray());
        page.writeBytes(values.toByteArray());
        return page.toByteArray();
    }

    /** A run of rows that have a value, or have none. */
    private static void level(ByteArrayOutputStream levels, int run, boolean present) {
        CompactThrift.varint((long) run << 1, levels);
        levels.write(present ? 1 : 0);
    }

    private static void plain(
            ColumnType type, Object value, ByteArrayOutputStream values, Bits bits) {
        switch (type) {
            case BOOLEAN -> bits.add((Boolean) value);
            case INT -> values.writeBytes(little(4).putInt((Integer) value).array());
            case TIMESTAMP -> values.writeBytes(little(8).putLong((Long) value).array());
            case DOUBLE -> values.writeBytes(little(8).putDouble((Double) value).array());
            case TEXT -> {
                byte[] text = ((String) value).getBytes(StandardCharsets.UTF_8);
                values.writeBytes(little(4).putInt(text.length).array());
                values.writeBytes(text);
            }
        }
    }

    /** Booleans, eight a byte, the lowest bit first. */
    private static final class Bits {
        private final ByteArrayOutputStream out;
        private int current;
        private int count;

        Bits(ByteArrayOutputStream out) {
            this.out = out;
        }

        void add(boolean bit) {
            current |= (bit ? 1 : 0) << count++;
            if (count == 8) {
                end();
            }
        }

        void end() {
            if (count > 0) {
                out.write(current);
                current = 0;
                count = 0;
            }
        }
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static byte[] packed(byte[] plain) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(plain);
        }
        return packed.toByteArray();
    }

    private void write(byte[] bytes) throws IOException {
        out.write(bytes);
        position += bytes.length;
    }

    /** Writes what is left and the footer; without it the file cannot be read. */
    @Override
    public void close() throws IOException {
        flush();
        List<CompactThrift> schema = new ArrayList<>();
        schema.add(new CompactThrift().text(4, "schema").number(5, columns.size()));
        for (Column<R> column : columns) {
            CompactThrift element =
                    new CompactThrift()
                            .number(1, column.type().physical)
                            .number(3, OPTIONAL)
                            .text(4, column.name());
            schema.add(
                    column.type().converted < 0
                            ? element
                            : element.number(6, column.type().converted));
        }
        byte[] footer =
                new CompactThrift()
                        .number(1, 1)
                        .structs(2, schema)
                        .number(3, written)
                        .structs(4, groups)
                        .text(6, "kipimo")
                        .bytes();
        write(footer);
        write(little(4).putInt(footer.length).array());
        write(MAGIC);
        out.close();
    }
}
