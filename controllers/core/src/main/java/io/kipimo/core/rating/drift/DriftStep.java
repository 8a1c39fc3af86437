package io.kipimo.core.rating.drift;

import java.util.List;

/**
 * What is known after a fact.
 *
 * @param stale why the rating is stale, a sentence each; empty: it is not
 */
public record DriftStep(DriftState next, List<String> stale) {}
