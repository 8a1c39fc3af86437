/** Copies of late requests, beside a library of the field. */
package io.kipimo.bench.hedging;
