/**
 * Typed options of the jobs: one expression for each option, checked ranges, all problems reported together, generated
 * documentation. Read {@link io.kipimo.jobs.options.OptionSet} first.
 */
package io.kipimo.jobs.options;
