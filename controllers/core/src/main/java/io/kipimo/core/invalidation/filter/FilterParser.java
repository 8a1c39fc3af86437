package io.kipimo.core.invalidation.filter;

import io.kipimo.core.invalidation.filter.Condition.ComparisonOperator;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Parses MongoDB's filter documents and refuses unknown operators by name. */
final class FilterParser {
    private static final int MOST_LEVELS = 100;
    private static final String KNOWN = "$eq, $ne, $gt, $gte, $lt, $lte, $in, $nin, $not, $exists, $type, $size, $all,"
            + " $elemMatch, $mod, $regex with $options";

    /** Limit for the instructions of all regular expressions of a filter together. */
    static final int MOST_INSTRUCTIONS = 4_096;

    // Instructions of the regular expressions so far.
    private int instructions;

    private FilterParser() {}

    static Filter parse(Document document) {
        Filter filter = new FilterParser().filter(document, "", 0);
        // The canonical form is stored and sent, and it may be deeper.
        if (levels(filter.toDocument()) > MOST_LEVELS) {
            throw new UnsupportedFilterException("filter", "", "nested deeper than " + MOST_LEVELS + " levels");
        }
        return filter;
    }

    private static int levels(Value value) {
        int deepest = 0;
        if (value instanceof Document document) {
            for (int i = 0; i < document.size(); i++) {
                deepest = Math.max(deepest, levels(document.value(i)));
            }
            return deepest + 1;
        }
        if (value instanceof ArrayValue array) {
            for (Value element : array.values()) {
                deepest = Math.max(deepest, levels(element));
            }
            return deepest + 1;
        }
        return 0;
    }

    private Condition.Finds regex(Value.Regex regex, String at) {
        Condition.Finds finds = RegexSubset.compile(regex, at);
        instructions += finds.instructions();
        if (instructions > MOST_INSTRUCTIONS) {
            throw new UnsupportedFilterException(
                    "$regex",
                    at,
                    "the regular expressions of the filter take more than "
                            + MOST_INSTRUCTIONS
                            + " instructions together; allowed: fewer or shorter ones");
        }
        return finds;
    }

    private Filter filter(Document filter, String at, int level) {
        if (level > MOST_LEVELS) {
            throw new UnsupportedFilterException("filter", at, "nested deeper than " + MOST_LEVELS + " levels");
        }
        List<Filter> parts = new ArrayList<>();
        for (int i = 0; i < filter.size(); i++) {
            String name = filter.name(i);
            Value operand = filter.value(i);
            switch (name) {
                case "$and" -> parts.add(Filter.All.of(filters(name, operand, at, level)));
                case "$or" -> parts.add(Filter.Any.of(filters(name, operand, at, level)));
                case "$nor" -> parts.add(Filter.Not.of(Filter.Any.of(filters(name, operand, at, level))));
                // A comment has no effect.
                case "$comment" -> {}
                default -> {
                    if (name.startsWith("$")) {
                        throw new UnsupportedFilterException(
                                name, at, "not supported here; allowed: $and, $or, $nor, names of fields");
                    }
                    String path = at.isEmpty() ? name : at + "." + name;
                    parts.add(Filter.At.of(Path.of(name), field(operand, path, level + 1)));
                }
            }
        }
        return Filter.All.of(parts);
    }

    private List<Filter> filters(String operator, Value operand, String at, int level) {
        if (!(operand instanceof ArrayValue array) || array.size() == 0) {
            throw refused(operator, at, operand, "an array that is not empty");
        }
        List<Filter> filters = new ArrayList<>();
        for (Value part : array.values()) {
            if (!(part instanceof Document document)) {
                throw refused(operator, at, part, "an array of documents");
            }
            filters.add(filter(document, at, level + 1));
        }
        return filters;
    }

    /** The condition on a field: operators, a regular expression, or an equal value. */
    private Condition field(Value operand, String at, int level) {
        if (operand instanceof Value.Regex regex) {
            return regex(regex, at);
        }
        return operand instanceof Document document && hasOperators(document)
                ? operators(document, at, level)
                : equal("equality", operand, at);
    }

    static boolean hasOperators(Document document) {
        return !document.isEmpty() && document.name(0).startsWith("$");
    }

    private Condition operators(Document operators, String at, int level) {
        if (level > MOST_LEVELS) {
            throw new UnsupportedFilterException(
                    operators.name(0), at, "nested deeper than " + MOST_LEVELS + " levels");
        }
        List<Condition> all = new ArrayList<>();
        for (int i = 0; i < operators.size(); i++) {
            String name = operators.name(i);
            if (!name.equals("$options")) {
                all.add(operator(name, operators.value(i), operators, at, level));
            } else if (operators.get("$regex") == null) {
                throw refused(name, at, operators.value(i), "it beside $regex");
            }
        }
        return Condition.Both.of(all);
    }

    private Condition operator(String name, Value operand, Document siblings, String at, int level) {
        return switch (name) {
            case "$eq" -> equal(name, operand, at);
            case "$ne" -> Condition.Negated.of(equal(name, noRegex(name, operand, at), at));
            case "$gt" -> compares(ComparisonOperator.GREATER, name, operand, at);
            case "$gte" -> compares(ComparisonOperator.GREATER_OR_EQUAL, name, operand, at);
            case "$lt" -> compares(ComparisonOperator.LESS, name, operand, at);
            case "$lte" -> compares(ComparisonOperator.LESS_OR_EQUAL, name, operand, at);
            case "$in" -> in(name, operand, at);
            case "$nin" -> Condition.Negated.of(in(name, operand, at));
            case "$not" -> Condition.Negated.of(not(operand, at, level));
            case "$exists" -> isTrue(operand) ? new Condition.Exists() : Condition.Negated.of(new Condition.Exists());
            case "$type" -> new Condition.HasType(types(operand, at));
            case "$size" -> size(operand, at);
            case "$all" -> all(operand, at, level);
            case "$elemMatch" -> elemMatch(operand, at, level);
            case "$mod" -> mod(operand, at);
            case "$regex" -> regex(operand, siblings.get("$options"), at);
            default -> throw new UnsupportedFilterException(name, at, "not supported; allowed: " + KNOWN);
        };
    }

    private static Condition equal(String operator, Value operand, String at) {
        if (operand == Value.ConstantValue.UNDEFINED) {
            throw refused(operator, at, operand, "values other than undefined");
        }
        return Condition.Compares.of(ComparisonOperator.EQUAL, operand);
    }

    private static Condition compares(ComparisonOperator comparison, String operator, Value operand, String at) {
        if (operand == Value.ConstantValue.UNDEFINED) {
            throw refused(operator, at, operand, "values other than undefined");
        }
        return Condition.Compares.of(comparison, noRegex(operator, operand, at));
    }

    private static Value noRegex(String operator, Value operand, String at) {
        if (operand instanceof Value.Regex) {
            throw refused(operator, at, operand, "values other than regular expressions");
        }
        return operand;
    }

    private Condition in(String operator, Value operand, String at) {
        List<Value> values = new ArrayList<>();
        List<Condition.Finds> regexes = new ArrayList<>();
        for (Value value : array(operator, operand, at).values()) {
            if (value instanceof Value.Regex regex) {
                regexes.add(regex(regex, at));
            } else if (value instanceof Document document && hasOperators(document)) {
                throw refused(operator, at, value, "values without operators");
            } else if (value == Value.ConstantValue.UNDEFINED) {
                throw refused(operator, at, value, "values other than undefined");
            } else {
                values.add(value);
            }
        }
        return Condition.IsIn.of(values, regexes);
    }

    private static ArrayValue array(String operator, Value operand, String at) {
        if (operand instanceof ArrayValue array) {
            return array;
        }
        throw refused(operator, at, operand, "an array");
    }

    private Condition not(Value operand, String at, int level) {
        if (operand instanceof Value.Regex regex) {
            return regex(regex, at);
        }
        if (operand instanceof Document document && hasOperators(document)) {
            return operators(document, at, level + 1);
        }
        throw refused("$not", at, operand, "operators, or a regular expression");
    }

    /** In MongoDB all values except false, null and zero count as true. */
    private static boolean isTrue(Value operand) {
        if (operand instanceof Value.Bool bool) {
            return bool.value();
        }
        return operand != Value.ConstantValue.NULL && !operand.canonical().equals(new Value.Int64(0));
    }

    private static Set<BsonType> types(Value operand, String at) {
        List<Value> names = operand instanceof ArrayValue array ? array.values() : List.of(operand);
        Set<BsonType> types = EnumSet.noneOf(BsonType.class);
        for (Value name : names) {
            if (name.equals(new Value.TextValue("number"))) {
                types.addAll(EnumSet.of(BsonType.INT, BsonType.LONG, BsonType.DOUBLE, BsonType.DECIMAL));
                continue;
            }
            Optional<BsonType> type = name instanceof Value.TextValue alias
                    ? BsonType.ofAlias(alias.value())
                    : whole(name)
                            .filter(code -> code == code.intValue())
                            .flatMap(code -> BsonType.ofCode(code.intValue()));
            types.add(type.orElseThrow(
                    () -> refused("$type", at, name, "numbers and names of BSON types that are not deprecated")));
        }
        if (types.isEmpty()) {
            throw refused("$type", at, operand, "at least one type");
        }
        return types;
    }

    private static Condition size(Value operand, String at) {
        long size = whole(operand)
                .filter(n -> n >= 0)
                .orElseThrow(() -> refused("$size", at, operand, "a whole number from 0"));
        // No array is longer than an int.
        return size > Integer.MAX_VALUE ? Condition.IsIn.NEVER : new Condition.HasSize((int) size);
    }

    private static Optional<Long> whole(Value value) {
        return ValueOrder.isNumber(value) && value.canonical() instanceof Value.Int64 whole
                ? Optional.of(whole.value())
                : Optional.empty();
    }

    private Condition all(Value operand, String at, int level) {
        List<Condition> parts = new ArrayList<>();
        int elemMatches = 0;
        for (Value value : array("$all", operand, at).values()) {
            if (value instanceof Value.Regex regex) {
                parts.add(regex(regex, at));
            } else if (value instanceof Document document && hasOperators(document)) {
                if (document.size() != 1 || !document.name(0).equals("$elemMatch")) {
                    throw refused("$all", at, value, "values, or $elemMatch alone");
                }
                elemMatches++;
                parts.add(elemMatch(document.value(0), at, level + 1));
            } else {
                parts.add(equal("$all", value, at));
            }
        }
        if (elemMatches > 0 && elemMatches < parts.size()) {
            throw refused("$all", at, operand, "either values or $elemMatch, not both");
        }
        return parts.isEmpty() ? Condition.IsIn.NEVER : Condition.Both.of(parts);
    }

    private Condition elemMatch(Value operand, String at, int level) {
        if (!(operand instanceof Document document)) {
            throw refused("$elemMatch", at, operand, "a document");
        }
        boolean isOfElements = hasOperators(document)
                && !Set.of("$and", "$or", "$nor", "$comment").contains(document.name(0));
        if (isOfElements) {
            Condition condition = operators(document, at, level + 1);
            return condition.equals(Condition.IsIn.NEVER) ? Condition.IsIn.NEVER : new Condition.HasElement(condition);
        }
        return new Condition.HasDocument(filter(document, at, level + 1));
    }

    private static Condition mod(Value operand, String at) {
        ArrayValue array = array("$mod", operand, at);
        if (array.size() != 2) {
            throw refused("$mod", at, operand, "[divisor, remainder]");
        }
        long divisor = truncated(array.get(0), operand, at);
        if (divisor == 0) {
            throw refused("$mod", at, operand, "a divisor other than 0");
        }
        return new Condition.Leaves(divisor, truncated(array.get(1), operand, at));
    }

    private static long truncated(Value number, Value operand, String at) {
        Value canonical = number.canonical();
        if (canonical instanceof Value.Int64 whole) {
            return whole.value();
        }
        if (canonical instanceof Value.Float64 f && Math.abs(f.value()) < 0x1p63) {
            return (long) f.value();
        }
        BigDecimal limit = BigDecimal.valueOf(Long.MAX_VALUE);
        if (canonical instanceof Value.Decimal d && d.finite().abs().compareTo(limit) < 0) {
            return d.finite().longValue();
        }
        throw refused("$mod", at, operand, "numbers of 64 bits");
    }

    private Condition regex(Value operand, Value options, String at) {
        if (options != null && !(options instanceof Value.TextValue)) {
            throw refused("$options", at, options, "a string");
        }
        String letters = options == null ? "" : ((Value.TextValue) options).value();
        if (operand instanceof Value.TextValue pattern) {
            return regex(new Value.Regex(pattern.value(), letters), at);
        }
        if (!(operand instanceof Value.Regex regex)) {
            throw refused("$regex", at, operand, "a string or a regular expression");
        }
        if (options != null && !regex.options().isEmpty()) {
            throw refused("$options", at, options, "options once");
        }
        return regex(new Value.Regex(regex.pattern(), regex.options() + letters), at);
    }

    private static UnsupportedFilterException refused(String operator, String at, Value operand, String allowed) {
        return new UnsupportedFilterException(operator, at, operand + "; allowed: " + allowed);
    }
}
