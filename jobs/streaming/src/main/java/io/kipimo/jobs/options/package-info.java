/**
 * Typed options of the jobs: one expression an option, ranges checked, all problems told at once,
 * documentation generated. Read {@link io.kipimo.jobs.options.OptionSet} first.
 */
package io.kipimo.jobs.options;
