/**
 * The quality of a class at other deadlines, and the cost of each component's lateness. For each deadline, answers are
 * merged again from the results that had arrived by then. Read {@link io.kipimo.schemas.deadline.DeadlineCurve} first.
 */
package io.kipimo.schemas.deadline;
