/**
 * A rating from its request to its end: it measures noise, searches for the load, and confirms that load for the
 * duration of the agreement. Read {@link io.kipimo.core.rating.course.RatingProtocol} first.
 */
package io.kipimo.core.rating.course;
