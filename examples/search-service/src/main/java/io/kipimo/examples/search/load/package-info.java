/**
 * Load as users make it: queries come when they come, whether or not the service keeps up (open
 * loop), and latency counts from when the user meant to ask, so that a service which stalls does
 * not hide it (coordinated omission). Read {@link io.kipimo.examples.search.load.ArrivalTrace}
 * first, then {@link io.kipimo.examples.search.load.LoadGenerator}.
 */
package io.kipimo.examples.search.load;
