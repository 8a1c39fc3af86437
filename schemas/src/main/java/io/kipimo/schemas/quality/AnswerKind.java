package io.kipimo.schemas.quality;

/** Which execution of a query an answer comes from. */
public enum AnswerKind {
    /** What the user got. */
    ONLINE,
    /** The same query replayed with all data; the mature answer. */
    REPLAYED
}
