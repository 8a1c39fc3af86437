package io.kipimo.core.invalidation.filter;

import com.google.re2j.Pattern;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Condition that an operator of a filter sets for one element. A missing element is passed as Java's null; it equals
 * MongoDB's null and does not exist.
 */
public sealed interface Condition extends Path.ElementTest
        permits Condition.Compares,
                Condition.IsIn,
                Condition.Exists,
                Condition.HasType,
                Condition.HasSize,
                Condition.HasDocument,
                Condition.HasElement,
                Condition.Leaves,
                Condition.Finds,
                Condition.Both,
                Condition.Negated {
    /** This condition in MongoDB's language: operators with their operands. */
    Document toDocument();

    /** Whether the elements of an array at the end of a path are tested in addition to the array itself. */
    default boolean entersArrays() {
        return true;
    }

    /** The comparisons. */
    enum ComparisonOperator {
        EQUAL("$eq"),
        GREATER("$gt"),
        GREATER_OR_EQUAL("$gte"),
        LESS("$lt"),
        LESS_OR_EQUAL("$lte");

        private final String operator;

        ComparisonOperator(String operator) {
            this.operator = operator;
        }

        boolean allowsEqual() {
            return this != GREATER && this != LESS;
        }

        public boolean isUpward() {
            return this == GREATER || this == GREATER_OR_EQUAL;
        }

        public boolean isDownward() {
            return this == LESS || this == LESS_OR_EQUAL;
        }

        boolean holds(int order) {
            return switch (this) {
                case EQUAL -> order == 0;
                case GREATER -> order > 0;
                case GREATER_OR_EQUAL -> order >= 0;
                case LESS -> order < 0;
                case LESS_OR_EQUAL -> order <= 0;
            };
        }
    }

    /**
     * {@code $eq, $gt, $gte, $lt, $lte}: compares the element with the operand. Elements whose type is of another
     * bracket do not meet the condition; as operands, MinKey and MaxKey compare with all types.
     *
     * @param operand in canonical form
     */
    record Compares(ComparisonOperator comparison, Value operand) implements Condition {
        static Condition of(ComparisonOperator comparison, Value operand) {
            boolean equalOnly = operand == Value.ConstantValue.NULL || ValueOrder.isNaN(operand.canonical());
            if (equalOnly && !comparison.allowsEqual()) {
                return IsIn.NEVER;
            }
            return new Compares(equalOnly ? ComparisonOperator.EQUAL : comparison, operand.canonical());
        }

        @Override
        public boolean matches(Value element, Effort effort) {
            int bracket = (element == null ? BsonType.UNDEFINED : element.type()).bracket();
            if (bracket != operand.type().bracket()) {
                return matchesOtherBracket(element);
            }
            if (comparison != ComparisonOperator.EQUAL && ValueOrder.isNaN(element)) {
                return false;
            }
            return comparison.holds(ValueOrder.order(element, operand));
        }

        private boolean matchesOtherBracket(Value element) {
            return switch (operand.type()) {
                case NULL -> element == null;
                case MIN_KEY -> comparison.isUpward();
                case MAX_KEY -> comparison.isDownward();
                default -> false;
            };
        }

        @Override
        public Document toDocument() {
            return Document.of(comparison.operator, operand);
        }
    }

    /**
     * {@code $in}: the element equals one of the values or meets one of the regular expressions.
     *
     * @param values in canonical form, in order, distinct
     */
    record IsIn(List<Value> values, List<Finds> regexes) implements Condition {
        /** A condition that no element meets. */
        public static final Condition NEVER = new IsIn(List.of(), List.of());

        static Condition of(Collection<Value> values, Collection<Finds> regexes) {
            TreeSet<Value> ordered = new TreeSet<>(ValueOrder.INSTANCE);
            values.forEach(value -> ordered.add(value.canonical()));
            TreeMap<String, Finds> distinct = new TreeMap<>();
            regexes.forEach(regex -> distinct.put(regex.toString(), regex));
            if (ordered.size() == 1 && distinct.isEmpty()) {
                return Compares.of(ComparisonOperator.EQUAL, ordered.first());
            }
            if (ordered.isEmpty() && distinct.size() == 1) {
                return distinct.firstEntry().getValue();
            }
            return new IsIn(List.copyOf(ordered), List.copyOf(distinct.values()));
        }

        @Override
        public boolean matches(Value element, Effort effort) {
            // No hash table, since an attacker could choose values and elements that collide.
            Value sought = element == null ? Value.ConstantValue.NULL : element;
            if (Collections.binarySearch(values, sought, ValueOrder.INSTANCE) >= 0) {
                return true;
            }
            for (Finds regex : regexes) {
                if (regex.matches(element, effort)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public Document toDocument() {
            List<Value> all = new ArrayList<>(values);
            regexes.forEach(regex -> all.add(regex.toValue()));
            return Document.of("$in", new ArrayValue(all));
        }
    }

    /** {@code $exists: true}: the element is not missing. */
    record Exists() implements Condition {
        @Override
        public boolean matches(Value element, Effort effort) {
            return element != null;
        }

        @Override
        public Document toDocument() {
            return Document.of("$exists", new Value.Bool(true));
        }
    }

    /** {@code $type}: the element has one of the types. */
    record HasType(Set<BsonType> types) implements Condition {
        public HasType {
            types = Set.copyOf(types);
        }

        @Override
        public boolean matches(Value element, Effort effort) {
            return element != null && types.contains(element.type());
        }

        @Override
        public Document toDocument() {
            List<Value> codes = types.isEmpty()
                    ? List.of()
                    : EnumSet.copyOf(types).stream()
                            .<Value>map(type -> new Value.Int64(type.code()))
                            .toList();
            return Document.of("$type", new ArrayValue(codes));
        }
    }

    /** {@code $size}: the element is an array with {@code size} elements. */
    record HasSize(int size) implements Condition {
        @Override
        public boolean matches(Value element, Effort effort) {
            return element instanceof ArrayValue array && array.size() == size;
        }

        @Override
        public boolean entersArrays() {
            return false;
        }

        @Override
        public Document toDocument() {
            return Document.of("$size", new Value.Int64(size));
        }
    }

    /**
     * {@code $elemMatch} with a filter: the element is an array with a document, or an array, that the filter selects.
     */
    record HasDocument(Filter filter) implements Condition {
        @Override
        public boolean matches(Value element, Effort effort) {
            if (element instanceof ArrayValue array) {
                effort.spend(array.size());
                for (int i = 0; i < array.size(); i++) {
                    Value inner = array.get(i);
                    boolean isObject = inner instanceof Document || inner instanceof ArrayValue;
                    if (isObject && filter.matches(inner, effort)) {
                        return true;
                    }
                }
            }
            return false;
        }

        @Override
        public boolean entersArrays() {
            return false;
        }

        @Override
        public Document toDocument() {
            return Document.of("$elemMatch", filter.toDocument());
        }
    }

    /** {@code $elemMatch} with operators: the element is an array with an element that meets all operators. */
    record HasElement(Condition condition) implements Condition {
        @Override
        public boolean matches(Value element, Effort effort) {
            if (element instanceof ArrayValue array) {
                effort.spend(array.size());
                for (int i = 0; i < array.size(); i++) {
                    if (condition.matches(array.get(i), effort)) {
                        return true;
                    }
                }
            }
            return false;
        }

        @Override
        public boolean entersArrays() {
            return false;
        }

        @Override
        public Document toDocument() {
            return Document.of("$elemMatch", condition.toDocument());
        }
    }

    /** {@code $mod}: the whole part of the number, divided by the divisor, leaves the remainder. */
    record Leaves(long divisor, long remainder) implements Condition {
        private static final double BEYOND = 0x1p63;

        @Override
        public boolean matches(Value element, Effort effort) {
            if (element instanceof Value.Int32 i) {
                return i.value() % divisor == remainder;
            }
            if (element instanceof Value.Int64 l) {
                return l.value() % divisor == remainder;
            }
            if (element instanceof Value.Float64 f) {
                // False for NaN, too.
                boolean fits = f.value() >= -BEYOND && f.value() < BEYOND;
                return fits && (long) f.value() % divisor == remainder;
            }
            return element instanceof Value.Decimal d && d.isFinite() && matches(d.finite());
        }

        private boolean matches(BigDecimal decimal) {
            // Digits left of the point; the bound keeps 1e6000 from being written out.
            if ((long) decimal.precision() - decimal.scale() > 20) {
                return false;
            }
            BigInteger whole = decimal.setScale(0, RoundingMode.DOWN).toBigInteger();
            return whole.bitLength() < Long.SIZE && whole.longValue() % divisor == remainder;
        }

        @Override
        public Document toDocument() {
            return Document.of("$mod", ArrayValue.of(new Value.Int64(divisor), new Value.Int64(remainder)));
        }
    }

    /** {@code $regex}: the element is a string that contains a match, or a value that is the very same expression. */
    record Finds(Value.Regex regex, Pattern compiled) implements Condition {
        @Override
        public boolean matches(Value element, Effort effort) {
            if (!(element instanceof Value.TextValue text)) {
                return regex.equals(element);
            }
            effort.spend((long) compiled.programSize() * (text.value().length() + 1));
            return compiled.matcher(text.value()).find();
        }

        /** Instructions of the expression. Matching takes this many steps for each character of a text. */
        int instructions() {
            return compiled.programSize();
        }

        public Value.Regex toValue() {
            return regex;
        }

        @Override
        public Document toDocument() {
            Document.DocumentBuilder operators = Document.builder().put("$regex", regex.pattern());
            if (!regex.options().isEmpty()) {
                operators.put("$options", regex.options());
            }
            return operators.build();
        }

        @Override
        public boolean equals(Object o) {
            return o instanceof Finds other && regex.equals(other.regex);
        }

        @Override
        public int hashCode() {
            return regex.hashCode();
        }

        @Override
        public String toString() {
            return ExtendedJson.write(toDocument());
        }
    }

    /** The element meets all parts: several operators within {@code $elemMatch}. */
    record Both(List<Condition> parts) implements Condition {
        static Condition of(Collection<Condition> parts) {
            TreeMap<String, Condition> distinct = new TreeMap<>();
            List<Value> unequal = new ArrayList<>();
            List<Finds> unfound = new ArrayList<>();
            for (Condition part : parts) {
                for (Condition flat : part instanceof Both both ? both.parts : List.of(part)) {
                    if (!exclude(flat, unequal, unfound)) {
                        distinct.put(ExtendedJson.write(flat.toDocument()), flat);
                    }
                }
            }
            if (!unequal.isEmpty() || !unfound.isEmpty()) {
                Condition none = Negated.of(IsIn.of(unequal, unfound));
                distinct.put(ExtendedJson.write(none.toDocument()), none);
            }
            List<Condition> ordered = List.copyOf(distinct.values());
            if (ordered.contains(IsIn.NEVER)) {
                return IsIn.NEVER;
            }
            return ordered.size() == 1 ? ordered.get(0) : new Both(ordered);
        }

        /**
         * Collects a negated equality, list or regular expression, to merge all of them into one condition; true if it
         * collected the part.
         */
        private static boolean exclude(Condition part, List<Value> unequal, List<Finds> unfound) {
            if (!(part instanceof Negated negated)) {
                return false;
            }
            if (negated.negated instanceof Finds regex) {
                return unfound.add(regex);
            }
            if (negated.negated instanceof IsIn in) {
                unequal.addAll(in.values());
                unfound.addAll(in.regexes());
                return !in.equals(IsIn.NEVER);
            }
            // Not if the operand resembles operators, because it would be ambiguous in a list.
            return negated.negated instanceof Compares c
                    && c.comparison == ComparisonOperator.EQUAL
                    && !(c.operand instanceof Document d && FilterParser.hasOperators(d))
                    && unequal.add(c.operand);
        }

        @Override
        public boolean matches(Value element, Effort effort) {
            for (int i = 0; i < parts.size(); i++) {
                if (!parts.get(i).matches(element, effort)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public Document toDocument() {
            Document.DocumentBuilder operators = Document.builder();
            Set<String> used = new HashSet<>();
            List<Condition> rest = new ArrayList<>();
            for (Condition part : parts) {
                Document document = part.toDocument();
                boolean isFree = true;
                for (int i = 0; i < document.size(); i++) {
                    // $not is reserved for operators that would occur twice in the document.
                    isFree &= !document.name(i).equals("$not") && !used.contains(document.name(i));
                }
                if (!isFree) {
                    rest.add(part);
                    continue;
                }
                for (int i = 0; i < document.size(); i++) {
                    used.add(document.name(i));
                    operators.put(document.name(i), document.value(i));
                }
            }
            if (!rest.isEmpty()) {
                operators.put("$not", rest(rest));
            }
            return operators.build();
        }

        private static Document rest(List<Condition> rest) {
            boolean isPlainNot = rest.size() == 1 && rest.get(0) instanceof Negated;
            return isPlainNot
                    ? ((Negated) rest.get(0)).negated.toDocument()
                    : Document.of("$not", Both.of(rest).toDocument());
        }
    }

    /** The element does not meet the negated condition. */
    record Negated(Condition negated) implements Condition {
        static Condition of(Condition condition) {
            return condition instanceof Negated twice ? twice.negated : new Negated(condition);
        }

        @Override
        public boolean matches(Value element, Effort effort) {
            return !negated.matches(element, effort);
        }

        @Override
        public boolean entersArrays() {
            return negated.entersArrays();
        }

        @Override
        public Document toDocument() {
            Document document = negated.toDocument();
            if (negated instanceof Compares c && c.comparison == ComparisonOperator.EQUAL) {
                return Document.of("$ne", c.operand);
            }
            if (negated instanceof Exists) {
                return Document.of("$exists", new Value.Bool(false));
            }
            return negated instanceof IsIn ? Document.of("$nin", document.value(0)) : Document.of("$not", document);
        }
    }
}
