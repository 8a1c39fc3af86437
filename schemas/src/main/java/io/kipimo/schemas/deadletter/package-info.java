/** Records that could not be used, with the reason. Read {@link io.kipimo.schemas.deadletter.RejectionReason} first. */
package io.kipimo.schemas.deadletter;
