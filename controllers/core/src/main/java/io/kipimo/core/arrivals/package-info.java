/** Traffic as it was recorded. Read {@link io.kipimo.core.arrivals.RecordedArrivals} first. */
package io.kipimo.core.arrivals;
