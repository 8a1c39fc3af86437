/**
 * What is known now of the answers of a class: fine, uncertain, wrong, unknown or idle. Console, {@code kipimo status},
 * release gate and metrics all use this rule. Read {@link io.kipimo.core.quality.verdict.Judgement} first.
 */
package io.kipimo.core.quality.verdict;
