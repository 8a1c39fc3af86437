/**
 * Follows answer quality over time, and judges it. {@link io.kipimo.core.quality.window.QualityWindows} sums up panes,
 * and makes sliding windows and control batches of them (Ubora, sec. 8); read it first.
 *
 * <p>{@link io.kipimo.core.quality.window.Judgement} gives the present verdict on a class: fine, uncertain, wrong,
 * unknown or idle. Console, {@code kipimo status}, release gate and metrics all use this rule.
 * {@link io.kipimo.core.quality.window.Budgets} computes the error budget: (1 - objective) is the mean quality that a
 * query may lose, and the burn rate is the actual loss in multiples of it (Google, "The Site Reliability Workbook", ch.
 * 5, with lost quality in place of failed requests). {@link io.kipimo.core.quality.window.Gate} decides whether a
 * release keeps its objective or the quality of its predecessor; without enough data it is neither pass nor failure.
 * {@link io.kipimo.core.quality.window.WorstQueries} keeps the single queries behind bad figures.
 */
package io.kipimo.core.quality.window;
