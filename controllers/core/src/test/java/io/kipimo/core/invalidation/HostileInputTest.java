package io.kipimo.core.invalidation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.kipimo.core.invalidation.filter.ArrayValue;
import io.kipimo.core.invalidation.filter.Document;
import io.kipimo.core.invalidation.filter.Effort;
import io.kipimo.core.invalidation.filter.ExtendedJson;
import io.kipimo.core.invalidation.filter.Filter;
import io.kipimo.core.invalidation.filter.FilterIndex;
import io.kipimo.core.invalidation.filter.Json;
import io.kipimo.core.invalidation.filter.UndecidedException;
import io.kipimo.core.invalidation.filter.UnsupportedFilterException;
import io.kipimo.core.invalidation.filter.Value;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters and documents that attack the matcher, to make it fail or to occupy it. */
class HostileInputTest {
    private static final Value ONE = new Value.Int64(1);

    private final List<Match> told = new ArrayList<>();
    private final MatchingCell cell = new MatchingCell(new MatchingCell.Retention(10_000, 1_000));

    private static AfterImage write(String id, long version, Document document) {
        return AfterImage.of("shop/things", id, version, version, document);
    }

    private String register(Document filter) {
        return register(filter, 0);
    }

    private String register(Document filter, long evaluatedAtMillis) {
        Registration registration =
                Registration.of(RegisteredQuery.of("shop/things", filter), Map.of(), evaluatedAtMillis);
        assertThat(cell.register(registration, told::add)).isEqualTo(RegistrationOutcome.ACTIVE);
        return registration.key();
    }

    private List<ChangeKind> apply(AfterImage write) {
        told.clear();
        assertThat(cell.apply(write, told::add)).isEqualTo(WriteOutcome.APPLIED);
        return told.stream().map(Match::kind).toList();
    }

    private static Document saying(String text) {
        return Document.of("a", new Value.TextValue(text));
    }

    /** Conditions without an index look-up, which no document meets. */
    private static Document anyOf(int count) {
        List<Value> filters = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ArrayValue divisible = ArrayValue.of(new Value.Int64(2 + i), new Value.Int64(0));
            filters.add(Document.of("a", Document.of("$mod", divisible)));
        }
        return Document.of("$or", new ArrayValue(filters));
    }

    private static Document ofOnes(int count) {
        return Document.of("a", new ArrayValue(Collections.nCopies(count, ONE)));
    }

    /** {@code {0: [{0: [...]}]}}: each level is reached both as an index and as a name. */
    private static Document pathsOfIndexes(int levels) {
        Document inner = Document.of("x", ONE);
        for (int i = 0; i < levels; i++) {
            inner = Document.of("0", ArrayValue.of(inner));
        }
        return inner;
    }

    @Test
    void aPatternThatOverflowedTheStackIsMatched() {
        register(Json.json("{a: {$regex: '(?:a|b)*c'}}"));
        assertThat(apply(write("r", 1, saying("ab".repeat(20_000))))).isEmpty();
        assertThat(apply(write("r", 2, saying("ab".repeat(20_000) + "c")))).containsExactly(ChangeKind.ADD);
    }

    @Test
    void aQueryThatWouldTakeTooLongBecomesUnknownAndTheOthersAreMatched() {
        String slow = register(Json.json("{a: {$regex: '(?:a{0,500})c'}}"));
        String fast = register(Json.json("{a: {$regex: '^aa'}}"));
        assertThat(apply(write("r", 1, saying("a".repeat(1_000_000)))))
                .containsExactlyInAnyOrder(ChangeKind.UNKNOWN, ChangeKind.ADD);
        assertThat(told)
                .filteredOn(match -> match.kind() == ChangeKind.UNKNOWN)
                .extracting(Match::queryKey)
                .containsExactly(slow);
        // It gets no further notifications.
        assertThat(cell.query(slow)).isEmpty();
        assertThat(cell.query(fast)).isPresent();
        assertThat(apply(write("r", 2, saying("a")))).containsExactly(ChangeKind.REMOVE);
        // A new evaluation registers it again.
        register(Json.json("{a: {$regex: '(?:a{0,500})c'}}"), 3);
        assertThat(apply(write("s", 3, saying("aac")))).containsExactlyInAnyOrder(ChangeKind.ADD, ChangeKind.ADD);
    }

    @Test
    void whatHeldARecordAndBecameUnknownIsNotToldToHaveLostIt() {
        register(Json.json("{a: {$regex: '(?:a{0,500})c'}}"));
        assertThat(apply(write("r", 1, saying("ac")))).containsExactly(ChangeKind.ADD);
        assertThat(apply(write("r", 2, saying("a".repeat(1_000_000))))).containsExactly(ChangeKind.UNKNOWN);
        assertThat(apply(write("r", 3, saying("b")))).isEmpty();
    }

    @Test
    void aResultThatLacksAWriteWhichTakesTooLongIsToBeEvaluatedAgain() {
        assertThat(apply(write("r", 5, saying("a".repeat(1_000_000))))).isEmpty();
        RegisteredQuery query = RegisteredQuery.of("shop/things", Json.json("{a: {$regex: '(?:a{0,500})c'}}"));
        assertThat(cell.register(Registration.of(query, Map.of(), 5), told::add))
                .isEqualTo(RegistrationOutcome.EVALUATE_AGAIN);
        assertThat(cell.query(query.key())).isEmpty();
        assertThat(cell.queries()).isZero();
        assertThat(cell.register(Registration.of(query, Map.of(), 6), told::add))
                .isEqualTo(RegistrationOutcome.ACTIVE);
    }

    @Test
    void manyConditionsOnAHugeArrayAreGivenUp() {
        register(anyOf(2_000));
        assertThat(apply(write("r", 1, ofOnes(300_000)))).containsExactly(ChangeKind.UNKNOWN);
        // As many conditions on a smaller array are decided.
        register(anyOf(2_000), 2);
        assertThat(apply(write("s", 2, ofOnes(1_000)))).isEmpty();
    }

    @Test
    void pathsOfIndexesThatLeadToOneElementInCountlessWaysAreGivenUp() {
        register(Document.of("0" + ".0".repeat(90), Document.of("$gt", ONE)));
        assertThat(apply(write("r", 1, pathsOfIndexes(45)))).containsExactly(ChangeKind.UNKNOWN);
        register(Document.of("0" + ".0".repeat(90), Document.of("$gt", ONE)), 2);
        assertThat(apply(write("r", 2, pathsOfIndexes(5)))).isEmpty();
    }

    @Test
    void pathsOfIndexesThatAreLookedUpAreGivenUpForAllWhoAreNotDecided() {
        String countless = register(Document.of("0" + ".0".repeat(90), ONE));
        String other = register(Json.json("{b: {$regex: 'x'}}"));
        assertThat(apply(write("r", 1, pathsOfIndexes(45)))).containsExactly(ChangeKind.UNKNOWN, ChangeKind.UNKNOWN);
        assertThat(told).extracting(Match::queryKey).containsExactlyInAnyOrder(countless, other);
        // State of the range look-up must not leak into the next document.
        register(Json.json("{'0.0': {$gt: 5}}"), 2);
        assertThat(apply(write("s", 2, Json.json("{'0': {'0': 7}}")))).containsExactly(ChangeKind.ADD);
    }

    @Test
    void anElementThatIsThereOftenIsLookedUpOnce() {
        FilterIndex index = new FilterIndex();
        int filters = 20_000;
        for (int slot = 0; slot < filters; slot++) {
            index.add(slot, Filter.parse(Json.json("{a: 1, b: " + slot + "}")));
        }
        // Otherwise this would take 20,000 x 400,000 steps.
        assertThat(index.select(ofOnes(400_000))).isZero();
        assertThat(index.tests()).isLessThanOrEqualTo(filters);
    }

    @Test
    void valuesThatAreMadeToCollideAreFoundAsQuicklyAsOthers() {
        List<Value> colliding = colliding(12);
        Document filter = Document.of("a", Document.of("$in", new ArrayValue(colliding)));
        List<Value> elements = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            colliding(13).forEach(value -> elements.add(new Value.TextValue(value + "!")));
        }
        assertThat(Filter.parse(filter).matches(Document.of("a", new ArrayValue(elements))))
                .isFalse();
        elements.add(colliding.get(77));
        assertThat(Filter.parse(filter).matches(Document.of("a", new ArrayValue(elements))))
                .isTrue();
    }

    /** 2^n texts with the same hash code. */
    private static List<Value> colliding(int n) {
        List<Value> texts = new ArrayList<>();
        for (int bits = 0; bits < 1 << n; bits++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < n; i++) {
                text.append((bits >> i & 1) == 0 ? "Aa" : "BB");
            }
            texts.add(new Value.TextValue(text.toString()));
        }
        return texts;
    }

    @Test
    void allExpressionsOfAFilterAreBoundedTogether() {
        List<Value> filters = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            filters.add(Document.of("a" + i, Document.of("$regex", new Value.TextValue("a{500}" + i))));
        }
        assertThatExceptionOfType(UnsupportedFilterException.class)
                .isThrownBy(() -> Filter.parse(Document.of("$or", new ArrayValue(filters))))
                .withMessageContaining("more than 4096 instructions together");
    }

    private static Filter stored(Filter filter) throws IOException {
        return stored(new RegisteredQuery("shop/things", filter, SortOrder.BY_ID, 0, 0))
                .filter();
    }

    private static RegisteredQuery stored(RegisteredQuery query) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CellBytes.write(query, new DataOutputStream(bytes));
        return CellBytes.readQuery(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    }

    /** The normal form of {$not: {$elemMatch: ...}} is nested deeper than the text. */
    @Test
    void aFilterThatIsAcceptedCanBeReadAgainHoweverDeep() throws Exception {
        int accepted = 0;
        for (int levels = 1; levels < 60; levels++) {
            String text = "{a: {$not: {$elemMatch: ".repeat(levels) + "{b: 1}" + "}}}".repeat(levels);
            Filter filter;
            try {
                filter = Filter.parse(Json.json(text));
            } catch (IllegalArgumentException e) {
                assertThat(e).hasMessageContaining("nested deeper than 100 levels");
                continue;
            }
            assertThat(stored(filter)).isEqualTo(filter);
            accepted++;
        }
        assertThat(accepted).isBetween(20, 40);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{a: {$ne: {$x: 1}, $nin: [2]}} | {a: 3} | true",
                "{a: {$ne: {$x: 1}, $nin: [2]}} | {a: {$x: 1}} | false",
                "{a: {$elemMatch: {$ne: {$x: 1}, $nin: [2, 3]}}} | {a: [4]} | true",
                "{a: {$elemMatch: {$ne: {$x: 1}, $nin: [2, 3]}}} | {a: [3, {$x: 1}]} | false",
                "{a: {$not: {$eq: {$gt: 1}}, $ne: 2}} | {a: {$gt: 1}} | false",
                "{a: {$eq: {$gt: 1}}} | {a: {$gt: 1}} | true"
            })
    void documentsThatLookLikeOperatorsAreReadAgainAsWhatTheyWere(String text, String document, boolean selects)
            throws Exception {
        Filter filter = Filter.parse(Json.json(text));
        assertThat(stored(filter)).isEqualTo(filter);
        assertThat(stored(filter).matches(Json.json(document))).isEqualTo(selects);
    }

    @ParameterizedTest
    @ValueSource(strings = {"(a)\\1", "(?<=a)b", "(?=a)", "a++", "(?>a)b", "a$b"})
    void aFilterOfAnOlderVersionThatIsRefusedNowMakesItsQueryUnknown(String pattern) throws Exception {
        // Bytes of an older version.
        Document filter = Document.of("a", Document.of("$regex", new Value.TextValue(pattern)));
        RegisteredQuery old =
                stored(new RegisteredQuery("shop/things", new Filter.Undecided(filter), SortOrder.BY_ID, 0, 0));
        assertThat(old.filter().toDocument()).isEqualTo(filter);
        CellSnapshot snapshot = new CellSnapshot(
                Long.MIN_VALUE,
                Map.of("q", old),
                List.of(new CellSnapshot.RecordSnapshot(
                        "shop/things", "r", 1, 1, false, Optional.empty(), Map.of("q", Long.MIN_VALUE))));
        MatchingCell restored = MatchingCell.restore(new MatchingCell.Retention(10_000, 1_000), snapshot);
        restored.apply(AfterImage.deletion("shop/things", "r", 2, 2), told::add);
        assertThat(told).extracting(Match::kind).containsExactly(ChangeKind.REMOVE);
        told.clear();
        // A write that the filter might select.
        restored.apply(write("s", 3, saying("aa")), told::add);
        assertThat(told).extracting(Match::kind).containsExactly(ChangeKind.UNKNOWN);
        assertThat(restored.queries()).isZero();
    }

    @Test
    void effortIsBoundedByFilterAndInAll() {
        Effort effort = new Effort(Effort.MOST_A_DOCUMENT);
        for (int filter = 0; filter < 4; filter++) {
            effort.beginFilter();
            effort.spend(Effort.MOST_A_FILTER);
            assertThatExceptionOfType(UndecidedException.class).isThrownBy(() -> effort.spend(1));
            effort.endFilter();
        }
        assertThatExceptionOfType(UndecidedException.class).isThrownBy(() -> effort.spend(1));
        effort.begin();
        // A refused amount is not spent.
        assertThatExceptionOfType(UndecidedException.class).isThrownBy(() -> effort.spend(Long.MAX_VALUE));
        effort.spend(Effort.MOST_A_DOCUMENT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // A value that cannot be encoded would fail the task that encodes it.
                "{\"a\": {\"$regularExpression\": {\"options\": \"i\"}}} | 'a': $regularExpression",
                "{\"a\": {\"$regularExpression\": {\"pattern\": \"x\"}}} | 'a': $regularExpression",
                "{\"a\": {\"$binary\": {\"base64\": \"\", \"subType\": \"100\"}}} | subtype 100",
                "{\"a\": {\"$binary\": {\"base64\": \"\", \"subType\": \"-1\"}}} | subtype",
                "{\"a\": {\"$date\": \"+999999999-12-31T23:59:59Z\"}} | 'a': $date",
                "{\"a\": [1, \"\\ud800\"]} | 'a.1' has half a surrogate pair",
                "{\"\\ud800\": 1, \"\\ud801\": 2} | half a surrogate pair",
                "{\"a\": {\"$regularExpression\": {\"pattern\": \"\\udc00\", \"options\": \"\"}}}"
                        + " | half a surrogate pair"
            })
    void whatIsNoDocumentIsRefused(String text, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> Json.json(text)).withMessageContaining(message);
    }

    @Test
    void emojiAreText() {
        assertThat(Json.json("{\"😀\": \"a😀\"}").get("😀")).isEqualTo(new Value.TextValue("a😀"));
    }

    @Test
    void aDecimalOfAMillionDigitsIsRefusedAtOnce() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExtendedJson.document(Map.of("a", Map.of("$numberDecimal", "7".repeat(1_000_000)))))
                .withMessageContaining("1000000 characters; allowed: at most 1000")
                .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(1_000));
    }

    /** Otherwise each element would hold a path of half a million characters: 100 GB. */
    @Test
    void aLongNameOverAHugeArrayTakesNoLonger() {
        Document document = ExtendedJson.document(Map.of("n".repeat(500_000), Collections.nCopies(200_000, 1)));
        assertThat(document.size()).isOne();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ExtendedJson.document(Map.of("n".repeat(500_000), List.of(new Object()))))
                .satisfies(e -> assertThat(e.getMessage().length()).isLessThan(1_000));
    }
}
