package io.kipimo.core.invalidation;

import static io.kipimo.core.invalidation.filter.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.kipimo.core.invalidation.filter.ArrayValue;
import io.kipimo.core.invalidation.filter.Document;
import io.kipimo.core.invalidation.filter.DocumentBytes;
import io.kipimo.core.invalidation.filter.ExtendedJson;
import io.kipimo.core.invalidation.filter.Filter;
import io.kipimo.core.invalidation.filter.RandomFilters;
import io.kipimo.core.invalidation.filter.Value;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class CellBytesPropertyTest {
    private static final MatchingCell.Retention SETTINGS = new MatchingCell.Retention(1_000, 20);

    private static byte[] bytes(Value value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DocumentBytes.write(value, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    private static Value value(byte[] bytes) throws IOException {
        return DocumentBytes.read(in(bytes));
    }

    private static DataInputStream in(byte[] bytes) {
        return new DataInputStream(new ByteArrayInputStream(bytes));
    }

    @Property(tries = 300, seed = "77")
    void documentsComeBackTypeForType(@ForAll long seed) throws IOException {
        RandomFilters random = new RandomFilters(new SplittableRandom(seed));
        Document document = ExtendedJson.document(random.document());

        assertThat(value(bytes(document))).isEqualTo(document);
    }

    @Property(tries = 100, seed = "78")
    void aCellComesBackAsItWas(@ForAll long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        RandomFilters filters = new RandomFilters(random);
        MatchingCell cell = new MatchingCell(SETTINGS);
        for (int i = 0; i < 40; i++) {
            if (random.nextInt(3) == 0) {
                cell.register(
                        new Registration(
                                "q" + i,
                                new RegisteredQuery(
                                        "c" + random.nextInt(2),
                                        Filter.parse(ExtendedJson.document(filters.filter())),
                                        SortOrder.parse(json("{a: -1, 'b.c': 1}")),
                                        random.nextInt(3),
                                        random.nextInt(3)),
                                Map.of("r" + random.nextInt(9), (long) random.nextInt(60)),
                                0),
                        match -> {});
            } else {
                cell.apply(
                        AfterImage.of(
                                "c" + random.nextInt(2),
                                "r" + random.nextInt(9),
                                i,
                                i,
                                ExtendedJson.document(filters.document())),
                        match -> {});
            }
        }
        CellSnapshot snapshot = cell.snapshot();

        for (RegisteredQuery query : snapshot.queries().values()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            CellBytes.write(query, new DataOutputStream(bytes));
            assertThat(CellBytes.readQuery(in(bytes.toByteArray()))).isEqualTo(query);
        }
        for (CellSnapshot.RecordSnapshot record : snapshot.records()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            CellBytes.write(record, new DataOutputStream(bytes));
            assertThat(CellBytes.readRecord(in(bytes.toByteArray()))).isEqualTo(record);
        }
    }

    /** Bytes of earlier versions stay readable for ever. */
    @Test
    void everyTypeKeepsItsTag() throws IOException {
        Value all = ArrayValue.of(
                Value.ConstantValue.MIN_KEY,
                Value.ConstantValue.UNDEFINED,
                Value.ConstantValue.NULL,
                Value.ConstantValue.MAX_KEY,
                new Value.Bool(false),
                new Value.Bool(true),
                new Value.Int32(-1),
                new Value.Int64(Long.MIN_VALUE),
                new Value.Float64(0.5),
                Value.Decimal.of(new BigDecimal("1.50")),
                new Value.Decimal(null, Double.POSITIVE_INFINITY),
                new Value.TextValue("ü"),
                new Value.Date(300),
                new Value.Timestamp(1, 2),
                new Value.ObjectId("0123456789abcdef01234567"),
                new Value.Binary(4, new byte[] {9}),
                new Value.Regex("a", "i"),
                ArrayValue.EMPTY,
                Document.of("n", new Value.Int32(1)));
        byte[] stored = HexFormat.of()
                .parseHex("122601020304050607"
                        + "01"
                        + "08ffffffffffffffffff01"
                        + "093fe0000000000000"
                        + "0a04040096"
                        + "0b7ff0000000000000"
                        + "0c04c3bc"
                        + "0dd804"
                        + "0e0000000100000002"
                        + "0f30303132333435363738396162636465663031323334353637"
                        + "10040209"
                        + "1102610269"
                        + "1200"
                        + "1302026e0702");

        assertThat(bytes(all))
                .asHexString()
                .isEqualToIgnoringCase(HexFormat.of().formatHex(stored));
        assertThat(value(stored)).isEqualTo(all);
    }
}
