/**
 * What the quality of a class would be at other deadlines, and what each component's lateness
 * costs: the answers are merged again from what had arrived by then. Read {@link
 * io.kipimo.schemas.deadline.DeadlineCurve} first.
 */
package io.kipimo.schemas.deadline;
