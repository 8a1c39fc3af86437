package io.kipimo.sdk.caching;

import io.kipimo.sdk.caching.JsonParts.JsonPart;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Describes query results that contain whole records (object lists; Quaestor, sec. 6.2). A record in such a result
 * equals the answer of the record's own address, so a client caches the records, too. Results are JSON.
 *
 * @param lists beginning of the paths of results, such as {@code /queries/}
 * @param array name of the result's member that has the array of records; empty: the result itself is the array
 * @param address path of a record, with one field of it in braces, such as {@code /products/{id}}
 * @param version field of a record with its {@link CachingClient#VERSION}, a number; empty: the version of the result
 *     counts for its records. Versions of results and records must then have one order, such as positions in the
 *     store's log
 */
public record ResultRecords(String lists, String array, String address, String version) {
    private static final Pattern ADDRESS = Pattern.compile("(/(?!/)[^{}?#]*)\\{([^{}]+)}([^{}#]*)");
    private static final Pattern VERSION = Pattern.compile("[0-9]{1,18}");
    private static final String UNRESERVED = "-._~";

    /** @throws IllegalArgumentException if a value is not allowed; the message names it */
    public ResultRecords {
        if (!lists.startsWith("/")) {
            throw new IllegalArgumentException("lists are '" + lists + "'; allowed: the beginning of a path");
        }
        path(address);
    }

    /** Splits an address into the text before the field, the field, and the text after it. */
    private static Matcher path(String address) {
        Matcher path = ADDRESS.matcher(address);
        if (!path.matches()) {
            throw new IllegalArgumentException(
                    "address is '" + address + "'; allowed: a path with one field in braces, such as /products/{id}");
        }
        return path;
    }

    /**
     * A record of a result.
     *
     * @param version 0: not known
     */
    record ResultRecord(URI address, byte[] body, long version) {}

    boolean isIn(URI result) {
        return result.getRawPath() != null && result.getRawPath().startsWith(lists);
    }

    /**
     * The records that have an address and a version.
     *
     * @param most greatest number of records to return, the first ones
     * @throws IllegalArgumentException if the result is no such list
     */
    List<ResultRecord> of(URI result, byte[] body, long resultVersion, int most) {
        Matcher path = path(address);
        JsonPart whole = JsonParts.whole(body);
        JsonPart all = array.isEmpty() ? whole : JsonParts.member(whole, array);
        if (all == null) {
            throw new IllegalArgumentException("it has no " + array);
        }
        List<ResultRecord> records = new ArrayList<>();
        for (JsonPart part : JsonParts.elements(all)) {
            if (records.size() == most) {
                break;
            }
            String field = part.utf8()[part.from()] == '{' ? field(part, path.group(2)) : "";
            String number =
                    version.isEmpty() ? String.valueOf(resultVersion) : field.isEmpty() ? "" : field(part, version);
            if (isName(field) && isVersion(number)) {
                records.add(new ResultRecord(
                        result.resolve(path.group(1) + escaped(field) + path.group(3)),
                        Arrays.copyOfRange(part.utf8(), part.from(), part.to()),
                        Long.parseLong(number)));
            }
        }
        return records;
    }

    /** Whether a field can be a part of a path; {@code .} and {@code ..} would make another path. */
    private static boolean isName(String field) {
        return !Set.of("", ".", "..").contains(field)
                && StandardCharsets.UTF_8.newEncoder().canEncode(field);
    }

    private static boolean isVersion(String number) {
        return VERSION.matcher(number).matches() && Long.parseLong(number) > 0;
    }

    private static String field(JsonPart part, String name) {
        JsonPart value = JsonParts.member(part, name);
        return value == null ? "" : JsonParts.scalar(value);
    }

    private static String escaped(String field) {
        StringBuilder text = new StringBuilder();
        for (byte b : field.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean isPlain = c < 0x80 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0);
            text.append(isPlain ? String.valueOf(c) : String.format("%%%02X", (int) c));
        }
        return text.toString();
    }
}
