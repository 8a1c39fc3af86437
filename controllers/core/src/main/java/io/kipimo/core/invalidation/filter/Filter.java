package io.kipimo.core.invalidation.filter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/** Selects documents by conditions at paths, joined by and, or, not. Immutable. */
public sealed interface Filter permits Filter.All, Filter.Any, Filter.Not, Filter.At, Filter.Undecided {
    /**
     * Parses MongoDB's filter language.
     *
     * @throws UnsupportedFilterException with the operator and the path, if the filter cannot be matched exactly as in
     *     MongoDB, or if MongoDB refuses it
     */
    static Filter parse(Document filter) {
        return FilterParser.parse(filter);
    }

    /**
     * Reads a filter that was accepted before, as written by {@link #toDocument}. A filter that this version refuses
     * becomes {@link Undecided}.
     */
    static Filter ofAccepted(Document filter) {
        try {
            return FilterParser.parse(filter);
        } catch (UnsupportedFilterException e) {
            return new Undecided(filter);
        }
    }

    /**
     * @param root a document; within {@code $elemMatch} also an array
     * @throws UndecidedException if the test exceeds {@code effort}
     */
    boolean matches(Value root, Effort effort);

    /** @throws UndecidedException if the test exceeds the budget of one filter */
    default boolean matches(Value root) {
        return matches(root, Effort.ofOneFilter());
    }

    /** The filter in MongoDB's language, in canonical form. */
    Document toDocument();

    /** Text of {@link #toDocument()}: equal for equivalent spellings. */
    default String key() {
        return ExtendedJson.write(toDocument());
    }

    /** All parts select the document. */
    record All(List<Filter> parts) implements Filter {
        /** Selects every document. */
        public static final Filter EVERYTHING = new All(List.of());

        static Filter of(Collection<Filter> parts) {
            List<Filter> flat = new ArrayList<>();
            for (Filter part : parts) {
                if (part instanceof All all) {
                    flat.addAll(all.parts);
                } else {
                    flat.add(part);
                }
            }
            List<Filter> distinct = inOrder(flat);
            if (distinct.contains(Any.NOTHING)) {
                return Any.NOTHING;
            }
            return distinct.size() == 1 ? distinct.get(0) : new All(distinct);
        }

        @Override
        public boolean matches(Value root, Effort effort) {
            for (int i = 0; i < parts.size(); i++) {
                if (!parts.get(i).matches(root, effort)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public Document toDocument() {
            return parts.isEmpty() ? Document.EMPTY : Document.of("$and", documents(parts));
        }
    }

    /** At least one part selects the document. */
    record Any(List<Filter> parts) implements Filter {
        /** Selects no document. */
        public static final Filter NOTHING = new Any(List.of());

        static Filter of(Collection<Filter> parts) {
            List<Filter> flat = new ArrayList<>();
            for (Filter part : parts) {
                if (part instanceof Any any) {
                    flat.addAll(any.parts);
                } else {
                    flat.add(part);
                }
            }
            List<Filter> distinct = inOrder(flat);
            if (distinct.contains(All.EVERYTHING)) {
                return All.EVERYTHING;
            }
            return distinct.size() == 1 ? distinct.get(0) : new Any(distinct);
        }

        @Override
        public boolean matches(Value root, Effort effort) {
            for (int i = 0; i < parts.size(); i++) {
                if (parts.get(i).matches(root, effort)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public Document toDocument() {
            return parts.isEmpty()
                    ? Document.of("$nor", ArrayValue.of(Document.EMPTY))
                    : Document.of("$or", documents(parts));
        }
    }

    /** The negated filter does not select the document. */
    record Not(Filter negated) implements Filter {
        static Filter of(Filter filter) {
            if (filter instanceof Not not) {
                return not.negated;
            }
            if (filter.equals(All.EVERYTHING)) {
                return Any.NOTHING;
            }
            return filter.equals(Any.NOTHING) ? All.EVERYTHING : new Not(filter);
        }

        @Override
        public boolean matches(Value root, Effort effort) {
            return !negated.matches(root, effort);
        }

        @Override
        public Document toDocument() {
            return Document.of("$nor", ArrayValue.of(negated.toDocument()));
        }
    }

    /** Some element at the path meets the condition. */
    record At(Path path, Condition condition) implements Filter {
        /** Splits conjunctions and negations, since each part may be met by a different element. */
        static Filter of(Path path, Condition condition) {
            if (condition instanceof Condition.Both both) {
                return All.of(both.parts().stream().map(part -> of(path, part)).toList());
            }
            if (condition instanceof Condition.Negated negated) {
                return Not.of(of(path, negated.negated()));
            }
            return condition.equals(Condition.IsIn.NEVER) ? Any.NOTHING : new At(path, condition);
        }

        @Override
        public boolean matches(Value root, Effort effort) {
            return path.leadsToAny(root, condition.entersArrays(), condition, effort);
        }

        @Override
        public Document toDocument() {
            return Document.of(path.toString(), condition.toDocument());
        }
    }

    /**
     * A filter that an earlier version supported and this one does not. Its selection is unknown, so every write makes
     * its query be evaluated again.
     */
    record Undecided(Document filter) implements Filter {
        @Override
        public boolean matches(Value root, Effort effort) {
            throw new UndecidedException();
        }

        @Override
        public Document toDocument() {
            return filter;
        }
    }

    private static List<Filter> inOrder(List<Filter> parts) {
        TreeMap<String, Filter> byKey = new TreeMap<>(Comparator.naturalOrder());
        parts.forEach(part -> byKey.put(part.key(), part));
        return List.copyOf(byKey.values());
    }

    private static ArrayValue documents(List<Filter> parts) {
        return new ArrayValue(parts.stream().<Value>map(Filter::toDocument).toList());
    }
}
