package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.CellBytes;
import io.kipimo.core.invalidation.CellSnapshot;
import io.kipimo.core.invalidation.RegisteredQuery;
import io.kipimo.core.invalidation.Representation;
import io.kipimo.core.invalidation.change.AfterImage;
import io.kipimo.core.invalidation.change.ChangeKind;
import io.kipimo.core.invalidation.document.DocumentBytes;
import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.FormatTypeInfo;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.codec.InvalidRecordException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Formats of the records between the operators of invalidation and of their state. */
public final class InvalidationFormats {
    public static final TypeInformation<AfterImage> WRITE = FormatTypeInfo.of(new OfWrite());
    public static final TypeInformation<SubscriptionChange> SUBSCRIPTION =
            FormatTypeInfo.of(new OfSubscription());
    public static final TypeInformation<QueryWorth> WORTH = FormatTypeInfo.of(new OfWorth());
    public static final TypeInformation<Notification> NOTIFICATION =
            FormatTypeInfo.of(new OfNotification());
    static final TypeInformation<CellInput> CELL_INPUT = FormatTypeInfo.of(new OfCellInput());
    static final TypeInformation<ResultInput> RESULT_INPUT = FormatTypeInfo.of(new OfResultInput());
    static final TypeInformation<RegisteredQuery> QUERY = FormatTypeInfo.of(new OfQuery());
    static final TypeInformation<CellSnapshot.RecordSnapshot> RECORD =
            FormatTypeInfo.of(new OfRecord());
    static final TypeInformation<GateEntry> ENTRY = FormatTypeInfo.of(new OfEntry());
    static final TypeInformation<QueryResult> RESULT = FormatTypeInfo.of(new OfResult());

    private InvalidationFormats() {}

    private static void text(String text, DataOutputView out) throws IOException {
        DocumentBytes.writeText(text, out);
    }

    private static String text(DataInputView in) throws IOException {
        return DocumentBytes.readText(in);
    }

    private static IOException unknown(String what, int tag) {
        return new IOException(what + " has tag " + tag);
    }

    static void write(QueryTerms terms, DataOutputView out) throws IOException {
        write(terms.id(), out);
        out.writeLong(terms.evaluatedMillis());
        out.writeBoolean(terms.representation() == Representation.ID_LIST);
        CellBytes.write(terms.query(), out);
        writeAll(terms.result(), out);
    }

    static QueryTerms readTerms(DataInputView in) throws IOException {
        QueryId id = readId(in);
        return new QueryTerms(
                id.service(),
                id.table(),
                id.key(),
                id.registeredMillis(),
                in.readLong(),
                in.readBoolean() ? Representation.ID_LIST : Representation.OBJECT_LIST,
                CellBytes.readQuery(in),
                readAll(in));
    }

    static void writeAll(List<AfterImage> images, DataOutputView out) throws IOException {
        DocumentBytes.writeLength(images.size(), out);
        for (AfterImage image : images) {
            CellBytes.write(image, out);
        }
    }

    static List<AfterImage> readAll(DataInputView in) throws IOException {
        List<AfterImage> images = new ArrayList<>();
        for (int left = DocumentBytes.readLength(in); left > 0; left--) {
            images.add(CellBytes.readWrite(in));
        }
        return images;
    }

    private static void write(QueryId id, DataOutputView out) throws IOException {
        text(id.service(), out);
        text(id.table(), out);
        text(id.key(), out);
        out.writeLong(id.registeredMillis());
    }

    private static QueryId readId(DataInputView in) throws IOException {
        return new QueryId(text(in), text(in), text(in), in.readLong());
    }

    /** A write between source and cells. */
    public static final class OfWrite implements Format<AfterImage> {
        private static final long serialVersionUID = 1L;

        @Override
        public Class<AfterImage> type() {
            return AfterImage.class;
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(AfterImage image, DataOutputView out) throws IOException {
            CellBytes.write(image, out);
        }

        @Override
        public AfterImage read(DataInputView in, int version) throws IOException {
            return CellBytes.readWrite(in);
        }
    }

    /** A query that is registered or ended, between source and gate. */
    public static final class OfSubscription implements Format<SubscriptionChange> {
        private static final long serialVersionUID = 1L;
        // Version 1 has the first two, as a boolean.
        private static final int ENDED = 0;
        private static final int REGISTERED = 1;
        private static final int REFUSED = 2;

        @Override
        public Class<SubscriptionChange> type() {
            return SubscriptionChange.class;
        }

        @Override
        public int version() {
            return 2;
        }

        @Override
        public void write(SubscriptionChange change, DataOutputView out) throws IOException {
            text(change.subscription(), out);
            if (change.terms().isPresent()) {
                out.writeByte(REGISTERED);
                InvalidationFormats.write(change.terms().get(), out);
            } else if (change.refusedMillis().isPresent()) {
                out.writeByte(REFUSED);
                out.writeLong(change.refusedMillis().getAsLong());
            } else {
                out.writeByte(ENDED);
            }
        }

        @Override
        public SubscriptionChange read(DataInputView in, int version) throws IOException {
            String subscription = text(in);
            int tag = in.readByte();
            return switch (tag) {
                case ENDED -> SubscriptionChange.ended(subscription);
                case REGISTERED -> SubscriptionChange.registered(readTerms(in));
                case REFUSED ->
                        new SubscriptionChange(
                                subscription, Optional.empty(), OptionalLong.of(in.readLong()));
                default -> throw unknown("subscription", tag);
            };
        }
    }

    /** The worth of caching a query, between source and gate. */
    public static final class OfWorth implements Format<QueryWorth> {
        private static final long serialVersionUID = 1L;

        @Override
        public Class<QueryWorth> type() {
            return QueryWorth.class;
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(QueryWorth worth, DataOutputView out) throws IOException {
            text(worth.subscription(), out);
            out.writeDouble(worth.hitsSavedPerSecond());
        }

        @Override
        public QueryWorth read(DataInputView in, int version) throws IOException {
            return new QueryWorth(text(in), in.readDouble());
        }
    }

    /** Input of cells. */
    public static final class OfCellInput implements Format<CellInput> {
        private static final long serialVersionUID = 1L;

        @Override
        public Class<CellInput> type() {
            return CellInput.class;
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(CellInput input, DataOutputView out) throws IOException {
            out.writeInt(input.cell());
            if (input instanceof CellInput.Write written) {
                out.writeByte(1);
                CellBytes.write(written.image(), out);
            } else if (input instanceof CellInput.Register register) {
                out.writeByte(2);
                InvalidationFormats.write(register.terms(), out);
            } else {
                out.writeByte(3);
                text(((CellInput.End) input).subscription(), out);
            }
        }

        @Override
        public CellInput read(DataInputView in, int version) throws IOException {
            int cell = in.readInt();
            int tag = in.readByte();
            return switch (tag) {
                case 1 -> new CellInput.Write(cell, CellBytes.readWrite(in));
                case 2 -> new CellInput.Register(cell, readTerms(in));
                case 3 -> new CellInput.End(cell, text(in));
                default -> throw unknown("cell input", tag);
            };
        }
    }

    /** Output of cells. */
    public static final class OfResultInput implements Format<ResultInput> {
        private static final long serialVersionUID = 1L;
        private static final ChangeKind[] KINDS = {
            ChangeKind.ADD, ChangeKind.REMOVE, ChangeKind.CHANGE
        };

        @Override
        public Class<ResultInput> type() {
            return ResultInput.class;
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(ResultInput input, DataOutputView out) throws IOException {
            if (input instanceof ResultInput.Registered registered) {
                out.writeByte(1);
                InvalidationFormats.write(registered.terms(), out);
            } else if (input instanceof ResultInput.Matched matched) {
                out.writeByte(2);
                InvalidationFormats.write(matched.id(), out);
                out.writeByte(List.of(KINDS).indexOf(matched.kind()));
                CellBytes.write(matched.image(), out);
            } else if (input instanceof ResultInput.Ended ended) {
                out.writeByte(3);
                InvalidationFormats.write(ended.id(), out);
            } else {
                out.writeByte(4);
                InvalidationFormats.write(input.id(), out);
                out.writeLong(((ResultInput.Unknown) input).atMillis());
            }
        }

        @Override
        public ResultInput read(DataInputView in, int version) throws IOException {
            int tag = in.readByte();
            return switch (tag) {
                case 1 -> new ResultInput.Registered(readTerms(in));
                case 2 ->
                        new ResultInput.Matched(
                                readId(in), KINDS[in.readByte()], CellBytes.readWrite(in));
                case 3 -> new ResultInput.Ended(readId(in));
                case 4 -> new ResultInput.Unknown(readId(in), in.readLong());
                default -> throw unknown("result input", tag);
            };
        }
    }

    /** Invalidations, on their way to the log. */
    public static final class OfNotification implements Format<Notification> {
        private static final long serialVersionUID = 1L;

        @Override
        public Class<Notification> type() {
            return Notification.class;
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(Notification notification, DataOutputView out) throws IOException {
            Format.writeBytes(Codecs.INVALIDATION.encode(notification.invalidation()), out);
            out.writeLong(notification.registeredMillis());
            out.writeLong(notification.epoch());
        }

        @Override
        public Notification read(DataInputView in, int version) throws IOException {
            byte[] wire = Format.readBytes(in);
            try {
                return new Notification(
                        Codecs.INVALIDATION.decode(wire), in.readLong(), in.readLong());
            } catch (InvalidRecordException e) {
                throw new IOException("a notification cannot be read: " + e.getMessage(), e);
            }
        }
    }

    /** A cell's query in state. */
    public static final class OfQuery implements Format<RegisteredQuery> {
        private static final long serialVersionUID = 1L;

        @Override
        public Class<RegisteredQuery> type() {
            return RegisteredQuery.class;
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(RegisteredQuery query, DataOutputView out) throws IOException {
            CellBytes.write(query, out);
        }

        @Override
        public RegisteredQuery read(DataInputView in, int version) throws IOException {
            return CellBytes.readQuery(in);
        }
    }

    /** A cell's record in state. */
    public static final class OfRecord implements Format<CellSnapshot.RecordSnapshot> {
        private static final long serialVersionUID = 1L;

        @Override
        public Class<CellSnapshot.RecordSnapshot> type() {
            return CellSnapshot.RecordSnapshot.class;
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(CellSnapshot.RecordSnapshot record, DataOutputView out)
                throws IOException {
            CellBytes.write(record, out);
        }

        @Override
        public CellSnapshot.RecordSnapshot read(DataInputView in, int version) throws IOException {
            return CellBytes.readRecord(in);
        }
    }

    /** The gate's entry of a query, in state. */
    public static final class OfEntry implements Format<GateEntry> {
        private static final long serialVersionUID = 1L;

        @Override
        public Class<GateEntry> type() {
            return GateEntry.class;
        }

        @Override
        public int version() {
            return 2;
        }

        @Override
        public void write(GateEntry entry, DataOutputView out) throws IOException {
            InvalidationFormats.write(entry.id(), out);
            out.writeLong(entry.cost());
            out.writeDouble(entry.demand());
            out.writeBoolean(entry.isAdmitted());
            out.writeDouble(entry.hitsSavedPerSecond());
            out.writeInt(entry.refusals());
        }

        @Override
        public GateEntry read(DataInputView in, int version) throws IOException {
            return new GateEntry(
                    readId(in),
                    in.readLong(),
                    in.readDouble(),
                    in.readBoolean(),
                    version == 1 ? GateEntry.NOT_REPORTED : in.readDouble(),
                    version == 1 ? 0 : in.readInt());
        }
    }

    /** A query's result in state. */
    public static final class OfResult implements Format<QueryResult> {
        private static final long serialVersionUID = 1L;

        @Override
        public Class<QueryResult> type() {
            return QueryResult.class;
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public void write(QueryResult result, DataOutputView out) throws IOException {
            result.write(out);
        }

        @Override
        public QueryResult read(DataInputView in, int version) throws IOException {
            return QueryResult.read(in);
        }

        @Override
        public QueryResult copy(QueryResult result) {
            return result.copy();
        }
    }
}
