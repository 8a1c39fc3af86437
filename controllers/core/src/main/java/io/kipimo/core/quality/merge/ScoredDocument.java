package io.kipimo.core.quality.merge;

/**
 * One line of a run: a document that a system returned for a query.
 *
 * @param score finite; higher is better
 */
public record ScoredDocument(String document, float score) {
    /**
     * Checks document and score.
     *
     * @throws IllegalArgumentException if the document has no id or the score is not finite
     */
    public ScoredDocument {
        if (document.isEmpty()) {
            throw new IllegalArgumentException("document id is empty");
        }
        if (!Float.isFinite(score)) {
            throw new IllegalArgumentException(
                    "score of document " + document + " is " + score + "; allowed: a finite float");
        }
    }

    /** Rounds the score to a float, as trec_eval does. */
    public static ScoredDocument of(String document, double score) {
        return new ScoredDocument(document, (float) score);
    }
}
