package io.kipimo.core.whatif;

import io.kipimo.schemas.quality.Estimate;
import java.util.Optional;

/**
 * Outcome of one class over a recording, as recorded or as replayed.
 *
 * @param quality stratified estimate of the mean quality, from the control batches of the class; empty: too little is
 *     known
 * @param deliberateLoss mean loss of an answer by components that were not asked, 0..1; a part of 1 - {@code quality}
 * @param offered number of queries before admission
 * @param shed share of these queries that decisions shed, 0..1
 * @param moves number of decisions that changed the fraction
 * @param least lowest fraction in force, 0..1
 * @param last fraction in force at the end, 0..1
 */
public record ClassOutcome(
        Optional<Estimate> quality,
        double deliberateLoss,
        long offered,
        double shed,
        int moves,
        double least,
        double last) {}
