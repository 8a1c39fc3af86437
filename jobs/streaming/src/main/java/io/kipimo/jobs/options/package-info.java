/**
 * Typed options of the jobs. One expression defines an option and its range, all problems are reported together, and
 * documentation is generated. Read {@link io.kipimo.jobs.options.OptionSet} first.
 */
package io.kipimo.jobs.options;
