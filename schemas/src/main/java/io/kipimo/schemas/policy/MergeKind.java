package io.kipimo.schemas.policy;

/** How partial results become an answer. */
public enum MergeKind {
    /** The k best scores of all components. */
    TOP_K_BY_SCORE,
    /** All items of all components. */
    UNION,
    /** The first component of a list that returned anything (ER.fst of Ubora, sec. 7). */
    PREFERRED,
    /** The k best scores after multiplying by the weight of the component. */
    WEIGHTED,
    /** No merge: the front end emits its online and its replayed answer with their items. */
    REPLAYED_ANSWERS
}
