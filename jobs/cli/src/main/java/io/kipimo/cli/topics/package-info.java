/** Commands on the topic catalogue and its records. Read {@link io.kipimo.cli.topics.TopicsCommand} first. */
package io.kipimo.cli.topics;
