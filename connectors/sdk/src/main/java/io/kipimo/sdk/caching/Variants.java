package io.kipimo.sdk.caching;

import io.kipimo.core.sampling.XxHash64;
import io.kipimo.sdk.internal.http.FieldList;
import java.net.http.HttpHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * The answers of one address that depend on headers of the request. {@code Vary} of an answer names these headers (RFC
 * 9111, sec. 4.1). Some shared caches ignore {@code Vary}, and answer one client with another client's variant. So an
 * origin names the variant of an answer in header {@link #HEADER}.
 */
public final class Variants {
    /** Header of an answer: {@link #name} of its variant. */
    public static final String HEADER = "Kipimo-Variant";

    /** In {@code Vary}: any other request may get another answer. */
    static final String ANY = "*";

    private static final Set<String> OF_THE_SAME_BODY = Set.of("accept-encoding", "origin");

    /**
     * Names of headers that tell users apart, such as Authorization, Cookie, X-Api-Key and X-Forwarded-User: they
     * select each copy, whatever {@code Vary} says (RFC 9111, sec. 3.5, which knows the first one only). One name too
     * many costs hits, one too few gives a user another one's answer.
     */
    private static final Pattern OF_THE_USER =
            Pattern.compile("(?i)(?!user-agent$).*(?:auth|cookie|token|api-?key|secret"
                    + "|session|user|account|tenant|credential|password|jwt|identity|signature).*");

    private Variants() {}

    /**
     * The name of a variant: XXH64 (seed 0), in hex, of one line {@code name:value} for each header, each with a line
     * feed at its end, in UTF-8. Names are in small letters and sorted. Several values of a header are joined by
     * {@code ","}, without white space around them. A missing header has no line.
     *
     * @param vary lines of the answer's header {@code Vary}
     * @param request returns the values of the request's header with the given name, in small letters
     */
    public static String name(List<String> vary, Function<String, List<String>> request) {
        StringBuilder text = new StringBuilder();
        named(FieldList.of(vary).members(), request)
                .forEach((name, value) ->
                        text.append(name).append(':').append(value).append('\n'));
        return Long.toHexString(XxHash64.hash(text.toString(), 0));
    }

    /** The request's headers that select a copy: those of the variant, and those of the user. */
    static SortedMap<String, String> selecting(List<String> vary, HttpHeaders request) {
        List<String> names = new ArrayList<>(FieldList.of(vary).members());
        request.map().keySet().stream().filter(Variants::isOfTheUser).forEach(names::add);
        return named(names, request::allValues);
    }

    /** Whether a header of requests with this name may tell users apart. */
    static boolean isOfTheUser(String name) {
        return OF_THE_USER.matcher(name).matches();
    }

    private static SortedMap<String, String> named(List<String> names, Function<String, List<String>> request) {
        SortedMap<String, String> selecting = new TreeMap<>();
        for (String any : names) {
            String name = any.toLowerCase(Locale.ROOT);
            List<String> values = new ArrayList<>(request.apply(name));
            values.replaceAll(String::strip);
            if (name.equals(ANY) || !values.isEmpty()) {
                selecting.put(name, String.join(",", values));
            }
        }
        return selecting;
    }

    /**
     * Whether an answer, which may come from a shared cache, proves that it is of the variant that the request selects.
     * For {@code Accept-Encoding}, the answer's coding is the proof. {@code Origin} needs none: answers to its
     * different values have equal bodies.
     */
    static boolean isShown(Function<String, List<String>> answer, Function<String, List<String>> request) {
        List<String> vary = answer.apply("vary");
        boolean isEncoded = answer.apply("content-encoding").stream()
                .anyMatch(coding -> !coding.strip().equalsIgnoreCase("identity"));
        if (isEncoded && request.apply("accept-encoding").isEmpty()) {
            return false;
        }
        List<String> names = FieldList.of(vary).members().stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .filter(name -> !OF_THE_SAME_BODY.contains(name))
                .toList();
        return names.isEmpty() || (!names.contains(ANY) && answer.apply(HEADER).equals(List.of(name(vary, request))));
    }
}
