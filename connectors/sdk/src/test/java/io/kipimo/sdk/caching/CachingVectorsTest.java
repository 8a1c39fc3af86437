package io.kipimo.sdk.caching;

import io.kipimo.core.stale.Consistency;
import io.kipimo.core.stale.ExpiringFilter;
import io.kipimo.core.stale.FilterShape;
import io.kipimo.core.stale.FlatFilter;
import io.kipimo.core.stale.FreshnessSession;
import io.kipimo.core.stale.FreshnessSession.ReadName;
import io.kipimo.core.stale.FreshnessSession.RequestWay;
import io.kipimo.core.stale.FreshnessSettings;
import io.kipimo.core.stale.KeyHash;
import io.kipimo.core.stale.RecentKeys;
import io.kipimo.schemas.document.JsonObject;
import io.kipimo.sdk.ClientVectorsTest;
import io.kipimo.sdk.internal.http.CacheControl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Vectors for caching clients in other languages. */
class CachingVectorsTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final long NOW_MILLIS = Instant.parse("2026-11-26T12:00:00Z").toEpochMilli();
    private static final FilterShape SMALL = new FilterShape(256, 3);

    @Test
    void filter() throws IOException {
        ClientVectorsTest.check(
                "stale-filter.json",
                new JsonObject()
                        .with(
                                "keys",
                                keys().stream().map(CachingVectorsTest::hash).toList())
                        .with("filters", List.of(filled(SMALL, 9), filled(FilterShape.ONE_ROUND_TRIP, 300)))
                        .with("received", received())
                        .with("addresses", addresses()));
    }

    private static List<String> keys() {
        return Stream.of(
                        Stream.of("", "a", "p-17", "größe", "検索", "\uD83D\uDD0E search", "%2F"),
                        IntStream.range(3, 70).mapToObj("x"::repeat),
                        Stream.of("y".repeat(2_048)))
                .flatMap(stream -> stream)
                .toList();
    }

    private static JsonObject hash(String key) {
        return new JsonObject()
                .with("key", key)
                .with("hash", HEX.toHexDigits(KeyHash.of(key)))
                .with("positions", KeyHash.positions(KeyHash.of(key), FilterShape.ONE_ROUND_TRIP));
    }

    /** A filter as it is sent, and what it says of keys that are inside and of others. */
    private static JsonObject filled(FilterShape shape, int keys) {
        ExpiringFilter stale = new ExpiringFilter(shape, 3_600_000);
        long now = NOW_MILLIS;
        for (int i = 0; i < keys; i++) {
            stale.reportRead("k" + i, now + 3_000_000, now);
            stale.invalidate("k" + i, now);
            now += 120_000 / keys;
        }
        RecentKeys recent = stale.recent(now);
        FlatFilter flat = stale.flat(now);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(flat.toBytes());
        recent.windows().stream().skip(1).forEach(w -> bytes.writeBytes(w.keys().toBytes()));
        return new JsonObject()
                .with("hashes", shape.hashes())
                .with(
                        "windows",
                        recent.windows().stream()
                                .map(window -> String.valueOf(window.sinceMillis()))
                                .reduce((one, two) -> one + ", " + two)
                                .orElseThrow())
                .with("bytes", HEX.formatHex(bytes.toByteArray()))
                .with(
                        "keys",
                        IntStream.range(0, 2 * Math.min(keys, 60))
                                .mapToObj(i -> i % 2 == 0 ? "k" + (keys - 1 - i / 2) : "other" + i)
                                .map(key -> says(flat, recent, key))
                                .toList());
    }

    private static JsonObject says(FlatFilter flat, RecentKeys recent, String key) {
        long since = recent.provenSinceMillis(KeyHash.of(key));
        return new JsonObject()
                .with("key", key)
                .with("mightContain", flat.mightContain(key))
                .with("provenSinceMillis", since == Long.MAX_VALUE ? "never" : String.valueOf(since));
    }

    /** Filters that are damaged, of another form, or none at all. */
    private static List<Object> received() {
        List<Object> all = new ArrayList<>();
        for (long hashes : List.of(-1L, 0L, 1L, 4L, 32L, 33L, 5_000_000_000L)) {
            all.add(received(hashes, 96, ""));
        }
        for (int bytes : List.of(0, 1, 95, 96)) {
            all.add(received(4, bytes, "3000, 2000, 1000"));
        }
        for (String windows : List.of(
                "3000",
                "3000,3000",
                "1000, 2000",
                "soon",
                "3000, -5",
                "3000;2000",
                ",3000,,2000,",
                "1e3",
                "0x10",
                String.join(",", IntStream.range(0, 64).mapToObj(i -> "0").toList()),
                String.join(",", IntStream.range(0, 65).mapToObj(i -> "0").toList()))) {
            all.add(received(4, 192, windows));
        }
        return all;
    }

    private static JsonObject received(long hashes, int bytes, String windows) {
        boolean isAccepted = true;
        try {
            var unused = ReceivedFilter.of(hashes, new byte[bytes], ReceivedFilter.since(List.of(windows)));
        } catch (IllegalArgumentException e) {
            isAccepted = false;
        }
        return new JsonObject()
                .with("hashes", hashes)
                .with("bytes", bytes)
                .with("windows", windows)
                .with("isAccepted", isAccepted);
    }

    private static List<Object> addresses() {
        List<Object> all = new ArrayList<>();
        for (String address : List.of(
                "https://shop/products/p-17",
                "https://shop/products/p-17?lang=de&x=/y",
                "https://shop/products/p-17#top/x",
                "https://shop/products/",
                "https://shop",
                "https://shop/gr%C3%B6%C3%9Fe",
                "https://shop/a%2Fb",
                "https://shop/100%25",
                "https://shop/%E6%A4%9C%E7%B4%A2%20x",
                "https://shop/a+b",
                "https://shop/a;v=1,2",
                "https://shop/x%FFy",
                "https://shop/search?q=hats",
                "https://shop/search?",
                "https://shop/größe?q=größe",
                "https://shop/%EF%BB%BFx")) {
            URI uri = URI.create(address);
            all.add(new JsonObject()
                    .with("address", address)
                    .with("key", CachingSettings.pathAndQuery(uri))
                    .with("lastSegment", CachingSettings.lastSegment(uri)));
        }
        return all;
    }

    @Test
    void answers() throws IOException {
        ClientVectorsTest.check(
                "cached-answers.json",
                new JsonObject()
                        .with("nowMillis", NOW_MILLIS)
                        .with("fields", fields().map(CachingVectorsTest::answer).toList())
                        .with("variants", variants()));
    }

    /** Those of the client's own tests. */
    private static Stream<String> fields() {
        return Arrays.stream(CacheControlTest.class.getDeclaredMethods())
                .sorted(Comparator.comparing(Method::getName))
                .flatMap(method -> {
                    ValueSource values = method.getAnnotation(ValueSource.class);
                    CsvSource rows = method.getAnnotation(CsvSource.class);
                    return Stream.concat(
                            values == null ? Stream.empty() : Arrays.stream(values.strings()),
                            // Others are of shared caches alone.
                            rows == null || rows.delimiter() != ';'
                                    ? Stream.empty()
                                    : Arrays.stream(rows.value()).map(row -> row.split("; ", 2)[1]));
                })
                .filter(fields -> fields.contains(": "))
                .map(fields -> fields.startsWith("Cache-Control") || fields.startsWith("Expires")
                        ? fields
                        : "Cache-Control: max-age=60 | " + fields);
    }

    private static JsonObject answer(String fields) {
        HttpHeaders headers = CacheControlTest.headers(fields);
        return new JsonObject()
                .with("fields", fields)
                .with("freshMillis", CacheControlTest.freshMillis(headers, NOW_MILLIS))
                .with(
                        "isExpired",
                        CacheControl.isExpired(
                                headers,
                                headers.firstValueAsLong(CachingClient.EVALUATED_MILLIS)
                                        .orElse(0),
                                NOW_MILLIS))
                .with("isNotToBeStored", CacheControl.isNotToBeStored(headers, false))
                .with("isNotToBeStoredForOneUser", CacheControl.isNotToBeStored(headers, true))
                .with("isHit", CacheControl.isHit(headers));
    }

    private static List<Object> variants() {
        List<Object> all = new ArrayList<>();
        for (String vary : List.of("", "X-Lang", "x-lang, X-Unit", "X-Unit,x-lang,X-Lang", "Origin", "*")) {
            for (String request : List.of("X: y", "X-Lang: de", "X-Lang:  de, fr  | X-Unit: kg", "x-unit: ")) {
                HttpHeaders asked = CacheControlTest.headers(request);
                String name = Variants.name(List.of(vary), asked::allValues);
                all.add(new JsonObject()
                        .with("vary", vary)
                        .with("request", request)
                        .with("name", name)
                        .with("isShownByName", isShown(vary, name, asked))
                        .with("isShownByAnother", isShown(vary, "1" + name, asked)));
            }
        }
        return all;
    }

    private static boolean isShown(String vary, String name, HttpHeaders request) {
        Map<String, List<String>> answer = new TreeMap<>();
        answer.put("vary", List.of(vary));
        answer.put(Variants.HEADER, List.of(name));
        return Variants.isShown(n -> answer.getOrDefault(n, List.of()), request::allValues);
    }

    @Test
    void session() throws IOException {
        CachingSettings defaults = CachingSettings.of(URI.create("https://shop/stale-filter"));
        List<Object> scripts = new ArrayList<>();
        for (long seed = 1; seed <= 8; seed++) {
            scripts.add(script(seed));
        }
        ClientVectorsTest.check(
                "caching-session.json",
                new JsonObject()
                        .with(
                                "defaults",
                                new JsonObject()
                                        .with(
                                                "refreshMillis",
                                                defaults.freshness().refreshMillis())
                                        .with(
                                                "rememberedKeys",
                                                defaults.freshness().rememberedKeys())
                                        .with(
                                                "longestTtlMillis",
                                                defaults.freshness().longestTtlMillis())
                                        .with("cachedResponses", defaults.cachedResponses())
                                        .with(
                                                "timeoutMillis",
                                                defaults.timeout().toMillis())
                                        .with("isOfOneUser", defaults.isOfOneUser()))
                        .with("levels", Consistency.values())
                        .with("ways", RequestWay.values())
                        .with("scripts", scripts)
                        .with("forgotten", forgotten()));
    }

    @Test
    void recordsOfResults() throws IOException {
        ResultRecords plain = new ResultRecords("/queries/", "", "/products/{id}", "v");
        ResultRecords inMember = new ResultRecords("/queries/", "items", "/p/{a b}/all?x=1", "");
        List<Object> all = new ArrayList<>();
        for (String body : List.of(
                "[]",
                " [ {\"id\" : \"a\", \"v\" : 1 } ,{\"v\":\"2\",\"id\":12345678901234567890,\"x\":1.50e+3} ] ",
                "[{\"id\":\"größe/ü?&'()*!~._-\",\"v\":3,\"deep\":[[{\"id\":\"no\",\"v\":9},\"]}\",\"\\\"\"]]}]",
                "[{\"id\":\"\\u0061\\n\\/\\ud83d\\ude00\",\"v\":4},{\"id\":\"\\ud83d\",\"v\":5}]",
                "[{\"id\":\"one\",\"id\":\"two\",\"v\":1},{\"id\":\"..\",\"v\":1},{\"id\":\".\",\"v\":1},{\"id\":\"\",\"v\":1}]",
                "[{\"id\":true,\"v\":1},{\"id\":null,\"v\":1},{\"id\":{},\"v\":1},{\"v\":1},7,\"text\",[],null]",
                "[{\"id\":\"a\"},{\"id\":\"b\",\"v\":0},{\"id\":\"c\",\"v\":-1},{\"id\":\"d\",\"v\":1.5},{\"id\":\"e\",\"v\":1e2},"
                        + "{\"id\":\"f\",\"v\":1234567890123456789},{\"id\":\"g\",\"v\":123456789012345678}]",
                "{\"items\":[{\"a b\":-1},{\"a b\":\"x\"}],\"n\":2}",
                "{\"items\":1,\"items\":[{\"a b\":\"last\"}]}",
                "{\"items\":{\"a b\":\"x\"}}",
                "{}",
                "",
                "[",
                "[1,]",
                "[{\"id\":\"a\",\"v\":1}]]",
                "[{\"id\":\"a\",\"v\":01}]",
                "[{\"id\":\"\\x\",\"v\":1}]",
                "[tru]",
                "[\"a]",
                "7")) {
            for (ResultRecords records : List.of(plain, inMember)) {
                all.add(records(records, body));
            }
        }
        ClientVectorsTest.check("result-records.json", new JsonObject().with("results", all));
    }

    private static JsonObject records(ResultRecords records, String body) {
        List<Object> found = null;
        try {
            found = new ArrayList<>();
            for (ResultRecords.ResultRecord record :
                    records.of(URI.create("https://shop/queries/q"), body.getBytes(StandardCharsets.UTF_8), 77, 3)) {
                found.add(List.of(
                        record.address().toString(),
                        String.valueOf(record.version()),
                        new String(record.body(), StandardCharsets.UTF_8)));
            }
        } catch (IllegalArgumentException e) {
            found = null;
        }
        return new JsonObject()
                .with("array", records.array())
                .with("address", records.address())
                .with("version", records.version())
                .with("body", body)
                .with("records", found);
    }

    private static JsonObject script(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        FreshnessSettings settings =
                new FreshnessSettings(1_000, 2 + random.nextInt(5), 4_000 + random.nextInt(20_000));
        FreshnessSession session = new FreshnessSession(settings);
        List<String> steps = new ArrayList<>();
        long now = 0;
        for (int i = 0; i < 250; i++) {
            now += random.nextInt(120);
            long evaluated = NOW_MILLIS + now - random.nextInt(40_000) + random.nextInt(250);
            String key = "k" + random.nextInt(9);
            String address = random.nextBoolean() ? key : key + "?" + random.nextInt(2);
            String copy = random.nextBoolean() ? address : address + "#" + random.nextInt(2);
            ReadName name = new ReadName(key, address, copy);
            String words = key + ' ' + address + ' ' + copy;
            Consistency level = Consistency.values()[random.nextInt(Consistency.values().length)];
            // Some are beyond 2^53.
            long version = random.nextInt(4) + (seed % 2 == 0 ? 1L << 61 : 0);
            version = random.nextInt(6) == 0 ? 0 : version;
            switch (i == 0 ? 0 : random.nextInt(10)) {
                case 0, 1 -> steps.add(refresh(session, random, now));
                case 2, 3 -> steps.add(step("decide", words, level, now) + session.decide(name, level, now));
                case 4 -> {
                    session.received(evaluated, now);
                    steps.add(step("received", evaluated, now) + session.clockErrors());
                }
                case 5 ->
                    steps.add(step("isProven", key, evaluated, level, now)
                            + session.isProven(key, evaluated, level, now));
                case 6 -> steps.add(step("judge", words, version, level) + session.judge(name, version, level));
                case 7 ->
                    steps.add(step("isCurrentIn", key, evaluated, now) + session.isCurrentIn(key, evaluated, now));
                case 8 -> {
                    long asked = now - random.nextInt(2_000);
                    session.revalidated(name, version, asked);
                    steps.add(step("revalidated", words, version, asked));
                }
                default -> {
                    session.wrote(name, version, now);
                    steps.add(step("wrote", words, version, now));
                }
            }
        }
        return new JsonObject()
                .with("rememberedKeys", settings.rememberedKeys())
                .with("longestTtlMillis", settings.longestTtlMillis())
                .with("steps", steps);
    }

    private static String refresh(FreshnessSession session, SplittableRandom random, long now) {
        long asked = now - random.nextInt(200);
        List<String> stale = some(random, 4);
        List<RecentKeys.KeysWindow> windows = new ArrayList<>();
        StringBuilder text = new StringBuilder();
        if (random.nextInt(5) > 0) {
            long since = NOW_MILLIS + asked;
            List<String> keys = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                windows.add(new RecentKeys.KeysWindow(since, of(keys)));
                text.append(text.isEmpty() ? "" : ";").append(since).append(':');
                text.append(String.join(",", keys));
                keys.addAll(some(random, 1));
                since -= 250L << (2 * i);
            }
        }
        session.refresh(of(stale), new RecentKeys(windows), asked);
        return step("refresh", asked, String.join(",", stale), text);
    }

    private static List<String> some(SplittableRandom random, int most) {
        return random.ints(random.nextInt(most + 1), 0, 9)
                .mapToObj(i -> "k" + i)
                .toList();
    }

    private static FlatFilter of(List<String> keys) {
        byte[] bytes = new byte[SMALL.bytes()];
        for (String key : keys) {
            for (int position : KeyHash.positions(KeyHash.of(key), SMALL)) {
                bytes[position / 8] |= (byte) (0x80 >>> position % 8);
            }
        }
        return FlatFilter.of(SMALL, bytes);
    }

    private static String step(Object... words) {
        return String.join(" ", Arrays.stream(words).map(String::valueOf).toList()) + " = ";
    }

    /** Of keys that a session of one key has never seen, those that it takes for forgotten. */
    private static JsonObject forgotten() {
        FreshnessSession session = new FreshnessSession(new FreshnessSettings(1_000, 1, 3_600_000));
        session.refresh(of(List.of()), RecentKeys.NONE, 0);
        session.received(0, 0);
        int seen = 30_000;
        for (int i = 0; i < seen; i++) {
            session.judge("seen/" + i, 1);
        }
        int others = 5_000;
        return new JsonObject()
                .with("seen", seen)
                .with("others", others)
                .with(
                        "takenForForgotten",
                        IntStream.range(0, others)
                                .filter(i -> session.decide("other/" + i, 0) != RequestWay.CACHED)
                                .toArray());
    }
}
