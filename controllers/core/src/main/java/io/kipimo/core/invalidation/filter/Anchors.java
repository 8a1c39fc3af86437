package io.kipimo.core.invalidation.filter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Chooses the anchors of a filter: every document that the filter selects meets at least one of them. For a
 * conjunction, these are the anchors of the part that shares them with the fewest other filters. For a disjunction,
 * these are the anchors of all parts, and each part needs some.
 *
 * <p>The two ends of a range may be met by two elements of one array: a: [0, 10] meets {@code {$gt: 4, $lt: 6}}. So a
 * range is compared with both the least and the greatest element at the path. Some element reaches the lower end only
 * if the greatest does, and some element is within the upper end only if the least is.
 *
 * <p>An {@code $elemMatch} has the anchors of its condition on elements. Exceptions are paths with numbers and
 * conditions that a missing element meets, because indexes and missing fields work differently within arrays.
 */
record Anchors(ToLongFunction<Anchor> crowd) {
    private static final int STRING = BsonType.STRING.bracket();

    /**
     * The anchors of a filter; empty if no look-up can narrow down its documents.
     *
     * @param crowd gives, for an anchor, the expected number of other filters that are tested together with a filter
     *     filed there
     */
    static Optional<List<Anchor>> choose(Filter filter, ToLongFunction<Anchor> crowd) {
        return Optional.ofNullable(new Anchors(crowd).of(filter));
    }

    private List<Anchor> of(Filter filter) {
        if (filter instanceof Filter.At at) {
            return of(at.path(), at.condition(), false);
        }
        if (filter instanceof Filter.All all) {
            return fewest(all.parts(), this::of);
        }
        if (filter instanceof Filter.Any any) {
            return together(any.parts(), this::of);
        }
        return null;
    }

    /** Anchors of all parts; null if a part has none. */
    private static <T> List<Anchor> together(List<T> parts, Function<T, List<Anchor>> anchors) {
        List<Anchor> all = new ArrayList<>();
        for (T part : parts) {
            List<Anchor> ofPart = anchors.apply(part);
            if (ofPart == null) {
                return null;
            }
            all.addAll(ofPart);
        }
        return all;
    }

    /**
     * Anchors of the part that shares them with the fewest other filters; null if no part has any. Intersects the
     * ranges that parts give for one path.
     */
    private <T> List<Anchor> fewest(List<T> parts, Function<T, List<Anchor>> anchors) {
        List<Anchor> best = null;
        Map<String, Anchor.RangeAnchor> ranges = new HashMap<>();
        for (T part : parts) {
            List<Anchor> ofPart = anchors.apply(part);
            if (ofPart != null && ofPart.size() == 1 && ofPart.get(0) instanceof Anchor.RangeAnchor r) {
                ofPart = List.of(ranges.merge(r.path() + "/" + r.bracket(), r, Anchors::both));
            }
            best = lessCrowded(best, ofPart);
        }
        return best;
    }

    private static Anchor.RangeAnchor both(Anchor.RangeAnchor a, Anchor.RangeAnchor b) {
        return new Anchor.RangeAnchor(a.path(), a.bracket(), Math.max(a.from(), b.from()), Math.min(a.to(), b.to()));
    }

    private List<Anchor> lessCrowded(List<Anchor> a, List<Anchor> b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return crowd(b) < crowd(a) ? b : a;
    }

    private long crowd(List<Anchor> anchors) {
        return anchors.stream().mapToLong(crowd).sum() + anchors.size();
    }

    private List<Anchor> of(Path path, Condition condition, boolean isWithinElement) {
        if (condition instanceof Condition.Compares compares) {
            return ofComparison(path, compares, isWithinElement);
        }
        if (condition instanceof Condition.IsIn in) {
            return ofIn(path, in, isWithinElement);
        }
        if (condition instanceof Condition.Finds regex) {
            return ofPrefix(path, regex);
        }
        if (condition instanceof Condition.HasElement element && !path.hasOffset()) {
            return of(path, element.condition(), true);
        }
        if (condition instanceof Condition.HasDocument document && !path.hasOffset()) {
            return ofDocument(path, document.filter());
        }
        if (condition instanceof Condition.Both both) {
            return fewest(both.parts(), part -> of(path, part, isWithinElement));
        }
        return null;
    }

    private static List<Anchor> ofComparison(Path path, Condition.Compares compares, boolean isWithinElement) {
        Value operand = compares.operand();
        if (compares.comparison() == Condition.ComparisonOperator.EQUAL) {
            boolean mayBeMissing = isWithinElement && operand == Value.ConstantValue.NULL;
            return mayBeMissing ? null : List.of(new Anchor.Equal(path, operand));
        }
        if (operand == Value.ConstantValue.MIN_KEY || operand == Value.ConstantValue.MAX_KEY) {
            // Compared with values of all types.
            return null;
        }
        long key = RangeKey.of(operand);
        boolean isUpward = compares.comparison().isUpward();
        return List.of(new Anchor.RangeAnchor(
                path, operand.type().bracket(), isUpward ? key : Long.MIN_VALUE, isUpward ? Long.MAX_VALUE : key));
    }

    private static List<Anchor> ofIn(Path path, Condition.IsIn in, boolean isWithinElement) {
        if (isWithinElement && in.values().contains(Value.ConstantValue.NULL)) {
            return null;
        }
        List<Anchor> anchors = new ArrayList<>();
        in.values().forEach(value -> anchors.add(new Anchor.Equal(path, value)));
        for (Condition.Finds regex : in.regexes()) {
            List<Anchor> ofRegex = ofPrefix(path, regex);
            if (ofRegex == null) {
                return null;
            }
            anchors.addAll(ofRegex);
        }
        return anchors;
    }

    /**
     * Anchors of a regular expression that begins with literal text, like {@code ^http://a/}: the range of strings with
     * this prefix, and the value that is the same expression. Null without such a prefix.
     */
    private static List<Anchor> ofPrefix(Path path, Condition.Finds regex) {
        String prefix = prefix(regex.toValue());
        return prefix.isEmpty()
                ? null
                : List.of(
                        new Anchor.Equal(path, regex.toValue()),
                        new Anchor.RangeAnchor(
                                path,
                                STRING,
                                RangeKey.of(new Value.TextValue(prefix)),
                                RangeKey.lastWithPrefix(prefix)));
    }

    /** Literal prefix of the expression, without a last character that a quantifier may remove. */
    private static String prefix(Value.Regex regex) {
        String pattern = regex.pattern();
        boolean isPlain = pattern.startsWith("^")
                && pattern.indexOf('|') < 0
                && !regex.options().matches(".*[imx].*");
        if (!isPlain) {
            return "";
        }
        int end = 1;
        while (end < pattern.length() && isLiteral(pattern.charAt(end))) {
            end++;
        }
        boolean mayBeQuantified = end < pattern.length() && "*+?{".indexOf(pattern.charAt(end)) >= 0;
        return pattern.substring(1, Math.max(1, mayBeQuantified ? end - 1 : end));
    }

    private static boolean isLiteral(char c) {
        return c < 0x80 && (Character.isLetterOrDigit(c) || " /:_-,;@%=&#'\"<>~!".indexOf(c) >= 0);
    }

    private List<Anchor> ofDocument(Path path, Filter filter) {
        if (filter instanceof Filter.At at) {
            return at.path().hasOffset() ? null : of(path.then(at.path()), at.condition(), true);
        }
        if (filter instanceof Filter.All all) {
            return fewest(all.parts(), part -> ofDocument(path, part));
        }
        if (filter instanceof Filter.Any any) {
            return together(any.parts(), part -> ofDocument(path, part));
        }
        return null;
    }
}
