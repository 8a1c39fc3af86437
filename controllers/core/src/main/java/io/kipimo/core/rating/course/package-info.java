/**
 * A rating from its request to its end: noise first, then the search, then the load that was found
 * for as long as the agreement says. Read {@link io.kipimo.core.rating.course.RatingProtocol}
 * first.
 */
package io.kipimo.core.rating.course;
