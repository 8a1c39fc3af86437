package io.kipimo.jobs.options;

/** Options that all jobs have. */
public interface CommonOptions {
    JobOptions common();
}
