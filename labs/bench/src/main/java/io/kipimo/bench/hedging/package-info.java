/** Copies of late requests by the gateway, compared with a library for hedging. */
package io.kipimo.bench.hedging;
