package io.kipimo.jobs.options;

/** What the options of all jobs have in common. */
public interface CommonOptions {
    JobOptions common();
}
