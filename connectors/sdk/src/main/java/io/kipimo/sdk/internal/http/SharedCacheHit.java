package io.kipimo.sdk.internal.http;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Tells whether a shared cache answered, by what caches state in {@code Cache-Status} (RFC 9211) or in the older fields
 * of products. A field that cannot be read is no evidence.
 */
public final class SharedCacheHit {
    /**
     * Fields of Squid, Varnish, CloudFront, Fastly, Akamai, Azure; nginx (as its manual sets it from
     * $upstream_cache_status); Cloudflare; Vercel; bunny.net.
     */
    private static final List<String> FIELDS = List.of(
            "x-cache",
            "x-cache-status",
            "x-proxy-cache",
            "cf-cache-status",
            "akamai-cache-status",
            "x-vercel-cache",
            "cdn-cache");

    /**
     * The first word of a member that reports a hit: HIT, TCP_MEM_HIT, RefreshHit, and the words of nginx and
     * Cloudflare for an answer from the cache that had expired. Text behind the word is the cache's name.
     */
    private static final Pattern HIT =
            Pattern.compile("(?:(?i:hit|(?:TCP|UDP)_(?:[A-Z]+_)*HIT|stale|updating|revalidated)"
                    + "|(?:[A-Z][a-z]+)+Hit)(?:[\\s(:;].*)?");

    private static final String TOKEN = "[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*";
    private static final String STRING = "\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\])*+\"";
    private static final Pattern CACHE = Pattern.compile(TOKEN + "|" + STRING);

    /** A parameter by RFC 9651, sec. 3.1.2; keys in capitals, which the RFC forbids, are read, too. */
    private static final Pattern PARAMETER = Pattern.compile("([a-z*][a-z0-9_.*-]*)(?:=("
            + TOKEN
            + "|"
            + STRING
            + "|%\"(?:[ !#-$&-~]|%[0-9a-f]{2})*+\""
            + "|@?-?[0-9]{1,15}(?:\\.[0-9]{1,3})?|:[A-Za-z0-9+/=]*:|\\?[01]))?");

    /** Greatest length of a member that is read, characters: matching a regular expression recurses. */
    private static final int LONGEST = 2_000;

    private SharedCacheHit() {}

    /** @param lines returns the values of all lines of the field with the given name, in small letters */
    public static boolean isIn(Function<String, List<String>> lines) {
        FieldList status = FieldList.of(lines.apply("cache-status"));
        boolean isHit = status.isWhole()
                && status.members().stream().allMatch(SharedCacheHit::isMember)
                && status.members().stream().anyMatch(SharedCacheHit::isStatusHit);
        return isHit
                || FIELDS.stream()
                        .flatMap(field -> FieldList.of(lines.apply(field)).members().stream())
                        .anyMatch(member -> HIT.matcher(member).matches());
    }

    private static boolean isMember(String member) {
        List<String> parts = FieldList.parts(member);
        return !parts.isEmpty()
                && member.length() <= LONGEST
                && CACHE.matcher(parts.get(0)).matches()
                && parts.stream()
                        .skip(1)
                        .allMatch(part -> PARAMETER.matcher(lower(part)).matches());
    }

    /** Whether a member of {@code Cache-Status} reports a hit. The last of a repeated parameter counts. */
    private static boolean isStatusHit(String member) {
        String hit = "";
        boolean isForwarded = false;
        for (String part : FieldList.parts(member).stream()
                .skip(1)
                .map(SharedCacheHit::lower)
                .toList()) {
            String key = part.split("=", 2)[0];
            hit = key.equals("hit") ? part : hit;
            isForwarded |= key.equals("fwd");
        }
        return (hit.equals("hit") || hit.equals("hit=?1")) && !isForwarded;
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
