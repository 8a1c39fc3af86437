package io.kipimo.schemas.quality;

/** The execution of a query that an answer comes from. */
public enum AnswerKind {
    /** The answer that the user got. */
    ONLINE,
    /** The query, replayed with all data: the mature answer. */
    REPLAYED
}
