package io.kipimo.operators.invalidation;

import io.kipimo.core.invalidation.AfterImage;
import io.kipimo.core.invalidation.CellBytes;
import io.kipimo.core.invalidation.CellSnapshot;
import io.kipimo.core.invalidation.ChangeKind;
import io.kipimo.core.invalidation.RegisteredQuery;
import io.kipimo.core.invalidation.Representation;
import io.kipimo.core.invalidation.filter.DocumentBytes;
import io.kipimo.operators.types.Format;
import io.kipimo.operators.types.FormatCatalogue;
import io.kipimo.schemas.codec.Codecs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/** Formats of the records that pass between the operators of invalidation, and of the operators' state. */
public final class InvalidationFormats implements FormatCatalogue {
    // Tags of subscriptions.
    private static final int ENDED = 0;
    private static final int REGISTERED = 1;
    private static final int REFUSED = 2;

    private static final ChangeKind[] KINDS = {ChangeKind.ADD, ChangeKind.REMOVE, ChangeKind.CHANGE};

    /** A write on its way from the source to the cells. */
    public static final Format<AfterImage> WRITE =
            Format.of("write", 1, AfterImage.class, CellBytes::write, (in, version) -> CellBytes.readWrite(in));

    /** A query that is registered or ended, on its way from the source to the gate. */
    public static final Format<SubscriptionChange> SUBSCRIPTION = Format.of(
            "subscription-change",
            1,
            SubscriptionChange.class,
            InvalidationFormats::write,
            (in, version) -> readSubscriptionChange(in));

    /** The worth of caching a query, on its way from the source to the gate. */
    public static final Format<QueryWorth> WORTH = Format.of(
            "query-worth", 1, QueryWorth.class, InvalidationFormats::write, (in, version) -> readQueryWorth(in));

    /** Invalidations, on their way to the log. */
    public static final Format<Notification> NOTIFICATION = Format.of(
            "notification", 1, Notification.class, InvalidationFormats::write, (in, version) -> readNotification(in));

    /** Input of cells. */
    static final Format<CellInput> CELL_INPUT =
            Format.of("cell-input", 1, CellInput.class, InvalidationFormats::write, (in, version) -> readCellInput(in));

    /** Output of cells. */
    static final Format<ResultInput> RESULT_INPUT = Format.of(
            "result-input", 1, ResultInput.class, InvalidationFormats::write, (in, version) -> readResultInput(in));

    /** A cell's query in state. */
    static final Format<RegisteredQuery> QUERY = Format.of(
            "registered-query", 1, RegisteredQuery.class, CellBytes::write, (in, version) -> CellBytes.readQuery(in));

    /** A cell's record in state. */
    static final Format<CellSnapshot.RecordSnapshot> RECORD = Format.of(
            "cell-record",
            1,
            CellSnapshot.RecordSnapshot.class,
            CellBytes::write,
            (in, version) -> CellBytes.readRecord(in));

    /** The gate's entry of a query, in state. */
    static final Format<GateEntry> ENTRY =
            Format.of("gate-entry", 1, GateEntry.class, InvalidationFormats::write, (in, version) -> readGateEntry(in));

    /** A query's result in state. */
    static final Format<QueryResult> RESULT = Format.of(
            "query-result",
            1,
            QueryResult.class,
            QueryResult::write,
            (in, version) -> QueryResult.read(in),
            QueryResult::copy);

    @Override
    public List<Format<?>> formats() {
        return List.of(
                WRITE, SUBSCRIPTION, WORTH, NOTIFICATION, CELL_INPUT, RESULT_INPUT, QUERY, RECORD, ENTRY, RESULT);
    }

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

    private static void write(SubscriptionChange change, DataOutputView out) throws IOException {
        text(change.subscription(), out);
        if (change.terms().isPresent()) {
            out.writeByte(REGISTERED);
            write(change.terms().get(), out);
        } else if (change.refusedMillis().isPresent()) {
            out.writeByte(REFUSED);
            out.writeLong(change.refusedMillis().getAsLong());
        } else {
            out.writeByte(ENDED);
        }
    }

    private static SubscriptionChange readSubscriptionChange(DataInputView in) throws IOException {
        String subscription = text(in);
        int tag = in.readByte();
        return switch (tag) {
            case ENDED -> SubscriptionChange.ended(subscription);
            case REGISTERED -> SubscriptionChange.registered(readTerms(in));
            case REFUSED -> new SubscriptionChange(subscription, Optional.empty(), OptionalLong.of(in.readLong()));
            default -> throw unknown("subscription", tag);
        };
    }

    private static void write(QueryWorth worth, DataOutputView out) throws IOException {
        text(worth.subscription(), out);
        out.writeDouble(worth.hitsSavedPerSecond());
    }

    private static QueryWorth readQueryWorth(DataInputView in) throws IOException {
        return new QueryWorth(text(in), in.readDouble());
    }

    private static void write(Notification notification, DataOutputView out) throws IOException {
        Format.writeMessage(Codecs.INVALIDATION, notification.invalidation(), out);
        out.writeLong(notification.registeredMillis());
        out.writeLong(notification.epoch());
    }

    private static Notification readNotification(DataInputView in) throws IOException {
        return new Notification(Format.readMessage(Codecs.INVALIDATION, in), in.readLong(), in.readLong());
    }

    private static void write(CellInput input, DataOutputView out) throws IOException {
        out.writeInt(input.cell());
        if (input instanceof CellInput.CellWrite written) {
            out.writeByte(1);
            CellBytes.write(written.image(), out);
        } else if (input instanceof CellInput.Register register) {
            out.writeByte(2);
            write(register.terms(), out);
        } else {
            out.writeByte(3);
            text(((CellInput.End) input).subscription(), out);
        }
    }

    private static CellInput readCellInput(DataInputView in) throws IOException {
        int cell = in.readInt();
        int tag = in.readByte();
        return switch (tag) {
            case 1 -> new CellInput.CellWrite(cell, CellBytes.readWrite(in));
            case 2 -> new CellInput.Register(cell, readTerms(in));
            case 3 -> new CellInput.End(cell, text(in));
            default -> throw unknown("cell input", tag);
        };
    }

    private static void write(ResultInput input, DataOutputView out) throws IOException {
        if (input instanceof ResultInput.Registered registered) {
            out.writeByte(1);
            write(registered.terms(), out);
        } else if (input instanceof ResultInput.Matched matched) {
            out.writeByte(2);
            write(matched.id(), out);
            out.writeByte(List.of(KINDS).indexOf(matched.kind()));
            CellBytes.write(matched.image(), out);
        } else if (input instanceof ResultInput.Ended ended) {
            out.writeByte(3);
            write(ended.id(), out);
        } else {
            out.writeByte(4);
            write(input.id(), out);
            out.writeLong(((ResultInput.Unknown) input).atMillis());
        }
    }

    private static ResultInput readResultInput(DataInputView in) throws IOException {
        int tag = in.readByte();
        return switch (tag) {
            case 1 -> new ResultInput.Registered(readTerms(in));
            case 2 -> new ResultInput.Matched(readId(in), KINDS[in.readByte()], CellBytes.readWrite(in));
            case 3 -> new ResultInput.Ended(readId(in));
            case 4 -> new ResultInput.Unknown(readId(in), in.readLong());
            default -> throw unknown("result input", tag);
        };
    }

    private static void write(GateEntry entry, DataOutputView out) throws IOException {
        write(entry.id(), out);
        out.writeLong(entry.cost());
        out.writeDouble(entry.demand());
        out.writeBoolean(entry.isAdmitted());
        out.writeDouble(entry.hitsSavedPerSecond());
        out.writeInt(entry.refusals());
    }

    private static GateEntry readGateEntry(DataInputView in) throws IOException {
        return new GateEntry(
                readId(in), in.readLong(), in.readDouble(), in.readBoolean(), in.readDouble(), in.readInt());
    }
}
