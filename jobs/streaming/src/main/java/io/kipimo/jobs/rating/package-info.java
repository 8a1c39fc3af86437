/**
 * The rating job, which finds how much load a service carries within its agreement. Read
 * {@link io.kipimo.jobs.rating.RatingJob} first.
 */
package io.kipimo.jobs.rating;
