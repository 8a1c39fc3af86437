/**
 * Advice that needs measured answer quality, for a running system or for recorded topics. The commands use the same
 * functions of core as the quality job. Read {@link io.kipimo.cli.advice.DeadlineCommand} first.
 */
package io.kipimo.cli.advice;
