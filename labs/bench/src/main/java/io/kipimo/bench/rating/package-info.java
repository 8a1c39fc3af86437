/**
 * Rates real stores, and compares with a brute-force sweep. Read {@link io.kipimo.bench.rating.RatingStoresBenchmark}
 * first.
 */
package io.kipimo.bench.rating;
