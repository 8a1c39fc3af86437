package io.kipimo.core.whatif;

import io.kipimo.schemas.quality.Estimate;
import java.util.Optional;

/**
 * What became of one class over a recording, or would have become.
 *
 * @param quality by its control batches, stratified; empty: too little is known
 * @param offered queries that asked to be admitted
 * @param shed share of them that decisions turn away, 0..1
 * @param moves decisions that changed the fraction
 * @param least least fraction in force, 0..1
 * @param last fraction in force at the end, 0..1
 */
public record ClassOutcome(
        Optional<Estimate> quality,
        long offered,
        double shed,
        int moves,
        double least,
        double last) {}
