/** The tails job: its topology on one page and its options. Read {@link io.kipimo.jobs.tails.TailsJob} first. */
package io.kipimo.jobs.tails;
