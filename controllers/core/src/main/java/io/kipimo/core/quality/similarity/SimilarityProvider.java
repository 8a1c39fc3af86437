package io.kipimo.core.quality.similarity;

import java.util.Optional;

/** Users' own similarity functions, found through {@link java.util.ServiceLoader}. */
public interface SimilarityProvider {
    /**
     * The function of that name; empty if it is not this provider's. It is called with two
     * non-empty rankings only, and a result outside 0..1 is refused.
     *
     * @throws IllegalArgumentException if the function is this provider's and its parameter wrong
     */
    Optional<Similarity> parse(String spec);
}
