package io.kipimo.core.invalidation.filter;

import java.util.Optional;

/** The types of values, as {@code $type} numbers and names them, and as MongoDB orders them. */
enum BsonType {
    MIN_KEY(-1, "minKey", 0),
    /** Never in a document, but an empty array sorts as this type, below null. */
    UNDEFINED(6, "undefined", 1),
    NULL(10, "null", 2),
    DOUBLE(1, "double", 3),
    INT(16, "int", 3),
    LONG(18, "long", 3),
    DECIMAL(19, "decimal", 3),
    STRING(2, "string", 4),
    OBJECT(3, "object", 5),
    ARRAY(4, "array", 6),
    BINARY(5, "binData", 7),
    OBJECT_ID(7, "objectId", 8),
    BOOL(8, "bool", 9),
    DATE(9, "date", 10),
    TIMESTAMP(17, "timestamp", 11),
    REGEX(11, "regex", 12),
    MAX_KEY(127, "maxKey", 13);

    private static final BsonType[] ALL = values();

    private final int code;
    private final String alias;
    private final int bracket;

    BsonType(int code, String alias, int bracket) {
        this.code = code;
        this.alias = alias;
        this.bracket = bracket;
    }

    /** The number of the type for {@code $type}. */
    public int code() {
        return code;
    }

    /** The name of the type for {@code $type}. */
    public String alias() {
        return alias;
    }

    /**
     * Number of the type's bracket, 0..13. Types that are compared with one another share a bracket, as all types of
     * numbers do. Values of different brackets are ordered by these numbers.
     */
    public int bracket() {
        return bracket;
    }

    /** The type with that number; empty if no value of this package can have such a type. */
    public static Optional<BsonType> ofCode(int code) {
        for (BsonType type : ALL) {
            if (type.code == code) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    /** The type with that name; empty if no value of this package can have such a type. */
    public static Optional<BsonType> ofAlias(String alias) {
        for (BsonType type : ALL) {
            if (type.alias.equals(alias)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}
