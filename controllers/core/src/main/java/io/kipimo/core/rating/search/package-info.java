/**
 * Choice of the next load (sec. 2.2): golden section, approximate, and our adaptive technique. The readings so far are
 * the whole state, so a search continues from its log after a restart. Read {@link io.kipimo.core.rating.search.Search}
 * first.
 */
package io.kipimo.core.rating.search;
