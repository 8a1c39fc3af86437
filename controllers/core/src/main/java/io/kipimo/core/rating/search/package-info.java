/**
 * Which load to try next (sec. 2.2): golden section, approximate, and ours, adaptive. The readings
 * so far are the whole state, so a search goes on after a restart from whatever log of readings was
 * kept. Read {@link io.kipimo.core.rating.search.Search} first.
 */
package io.kipimo.core.rating.search;
