package io.kipimo.core.quality.similarity;

import java.util.Optional;

/** Users' own similarity functions, found through {@link java.util.ServiceLoader}. */
public interface SimilarityProvider {
    /**
     * The function of that name; empty if this provider has none. The function gets only non-empty rankings, and a
     * result outside 0..1 is rejected.
     *
     * @throws IllegalArgumentException if the name is this provider's and its parameter is invalid
     */
    Optional<Similarity> parse(String spec);
}
