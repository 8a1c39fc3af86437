package io.kipimo.cli.export;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Types;

/**
 * Writes a Parquet file of flat, optional columns, compressed by gzip.
 *
 * <p>Parquet's library mentions Hadoop in its signatures, so compilation needs Hadoop. This class never calls Hadoop,
 * so it runs without it, as tests do.
 *
 * @param <R> a row
 */
final class ParquetFile<R> implements Closeable {
    /** Type of a column's values. */
    enum ColumnType {
        BOOLEAN(PrimitiveTypeName.BOOLEAN),
        INT(PrimitiveTypeName.INT32),
        /** Epoch milliseconds. */
        TIMESTAMP(PrimitiveTypeName.INT64),
        DOUBLE(PrimitiveTypeName.DOUBLE),
        TEXT(PrimitiveTypeName.BINARY);

        private final PrimitiveTypeName physical;

        ColumnType(PrimitiveTypeName physical) {
            this.physical = physical;
        }

        /** The logical type; null if the physical type is enough. */
        private LogicalTypeAnnotation logical() {
            return switch (this) {
                case TIMESTAMP -> LogicalTypeAnnotation.timestampType(true, TimeUnit.MILLIS);
                case TEXT -> LogicalTypeAnnotation.stringType();
                case BOOLEAN, INT, DOUBLE -> null;
            };
        }

        private void write(Object value, RecordConsumer out) {
            switch (this) {
                case BOOLEAN -> out.addBoolean((Boolean) value);
                case INT -> out.addInteger((Integer) value);
                case TIMESTAMP -> out.addLong((Long) value);
                case DOUBLE -> out.addDouble((Double) value);
                case TEXT -> out.addBinary(Binary.fromString((String) value));
            }
        }
    }

    /**
     * A column of the file.
     *
     * @param value takes the value from a row: a Boolean, Integer, Long, Double or String by type; null: no value
     */
    record Column<R>(String name, ColumnType type, Function<R, Object> value) {}

    private final ParquetWriter<R> writer;
    private long rows;

    /** Opens the file for writing, and replaces an existing one. */
    ParquetFile(Path path, List<Column<R>> columns) throws IOException {
        writer = new ParquetFileBuilder<>(new LocalOutputFile(path), columns)
                .withConf(new PlainParquetConfiguration())
                .withCodecFactory(new Gzip())
                .withCompressionCodec(CompressionCodecName.GZIP)
                .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
                .build();
    }

    void add(R row) throws IOException {
        writer.write(row);
        rows++;
    }

    /** Number of rows that were added. */
    long size() {
        return rows;
    }

    /** Writes the remaining rows and the footer. Without the footer, the file cannot be read. */
    @Override
    public void close() throws IOException {
        writer.close();
    }

    private static final class ParquetFileBuilder<R> extends ParquetWriter.Builder<R, ParquetFileBuilder<R>> {
        private final List<Column<R>> columns;

        ParquetFileBuilder(OutputFile file, List<Column<R>> columns) {
            super(file);
            this.columns = columns;
        }

        @Override
        protected ParquetFileBuilder<R> self() {
            return this;
        }

        @Override
        @SuppressWarnings("deprecation")
        protected WriteSupport<R> getWriteSupport(Configuration hadoop) {
            return getWriteSupport(new PlainParquetConfiguration());
        }

        @Override
        protected WriteSupport<R> getWriteSupport(ParquetConfiguration settings) {
            return new RowWriteSupport<>(columns);
        }
    }

    private static final class RowWriteSupport<R> extends WriteSupport<R> {
        private final List<Column<R>> columns;
        private RecordConsumer out;

        RowWriteSupport(List<Column<R>> columns) {
            this.columns = columns;
        }

        @Override
        @SuppressWarnings("deprecation")
        public WriteContext init(Configuration hadoop) {
            return init(new PlainParquetConfiguration());
        }

        @Override
        public WriteContext init(ParquetConfiguration settings) {
            Types.MessageTypeBuilder schema = Types.buildMessage();
            for (Column<R> column : columns) {
                schema.optional(column.type().physical)
                        .as(column.type().logical())
                        .named(column.name());
            }
            MessageType type = schema.named("kipimo");
            return new WriteContext(type, Map.of());
        }

        @Override
        public void prepareForWrite(RecordConsumer consumer) {
            out = consumer;
        }

        @Override
        public void write(R row) {
            out.startMessage();
            for (int i = 0; i < columns.size(); i++) {
                Column<R> column = columns.get(i);
                Object value = column.value().apply(row);
                if (value != null) {
                    out.startField(column.name(), i);
                    column.type().write(value, out);
                    out.endField(column.name(), i);
                }
            }
            out.endMessage();
        }
    }

    /** Compresses by the JDK's gzip, because the library's own codecs need Hadoop. */
    private static final class Gzip implements CompressionCodecFactory {
        @Override
        public BytesInputCompressor getCompressor(CompressionCodecName name) {
            return new BytesInputCompressor() {
                @Override
                public BytesInput compress(BytesInput plain) throws IOException {
                    ByteArrayOutputStream packed = new ByteArrayOutputStream();
                    try (OutputStream gzip = new GZIPOutputStream(packed)) {
                        plain.writeAllTo(gzip);
                    }
                    return BytesInput.from(packed.toByteArray());
                }

                @Override
                public CompressionCodecName getCodecName() {
                    return CompressionCodecName.GZIP;
                }

                @Override
                public void release() {}
            };
        }

        @Override
        public BytesInputDecompressor getDecompressor(CompressionCodecName name) {
            throw new UnsupportedOperationException("only writes");
        }

        @Override
        public void release() {}
    }
}
