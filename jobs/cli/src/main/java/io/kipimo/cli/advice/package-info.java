/**
 * Questions that only measured answer quality can answer, asked of a running system or of what was
 * recorded of one; what the quality job thinks, these commands think by the same functions of core.
 * Read {@link io.kipimo.cli.advice.DeadlineCommand} first.
 */
package io.kipimo.cli.advice;
