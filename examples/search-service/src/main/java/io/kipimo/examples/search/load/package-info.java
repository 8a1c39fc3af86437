/**
 * Open load: arrivals do not depend on the service's responses. Latency counts from the intended start, so a stalled
 * service cannot hide its delay (no coordinated omission). Read {@link io.kipimo.examples.search.load.ArrivalTrace}
 * first, then {@link io.kipimo.examples.search.load.LoadGenerator}.
 */
package io.kipimo.examples.search.load;
