package io.kipimo.schemas.policy;

/** Method of merging partial results into an answer. */
public enum MergeKind {
    /** The k best scores of all components. */
    TOP_K_BY_SCORE,
    /** All items of all components. */
    UNION,
    /** The result of the first component in a preference list that returned anything (ER.fst of Ubora, sec. 7). */
    PREFERRED,
    /** The k best scores after multiplying by the weight of the component. */
    WEIGHTED,
    /** No merge: the front end emits the items of its online answer and of its replayed answer. */
    REPLAYED_ANSWERS
}
