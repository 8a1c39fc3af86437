/**
 * How matching is divided: queries over columns, records over rows (Quaestor, sec. 4.1, figure 6).
 *
 * <p>Read {@link io.kipimo.core.invalidation.grid.Grid}.
 */
package io.kipimo.core.invalidation.grid;
