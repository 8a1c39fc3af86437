package io.kipimo.jobs.options;

import java.util.List;

/** Reports that a job is not started. The message lists all problems, one a line. */
public final class SubmissionRefusedException extends IllegalArgumentException {
    public SubmissionRefusedException(List<String> problems) {
        super(String.join("\n", problems));
    }
}
