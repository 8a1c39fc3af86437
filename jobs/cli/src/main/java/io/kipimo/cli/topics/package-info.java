/** The topic catalogue and what is in it. Read {@link io.kipimo.cli.topics.TopicsCommand} first. */
package io.kipimo.cli.topics;
