package io.kipimo.core.quality.deadline;

import java.util.List;

/**
 * A measured query whose results are all there, or will not come any more.
 *
 * @param profiledAtMillis event time at which it was so, epoch milliseconds
 * @param deadlineMillis in force, after the query's start; positive
 * @param topK size of the answer; 0: the service's default
 * @param results one of every invoked component
 */
public record ProfileSubject(
        String service,
        String queryClass,
        long startedAtMillis,
        long profiledAtMillis,
        int deadlineMillis,
        int topK,
        List<ProfiledResult> results) {}
