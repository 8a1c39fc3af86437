/**
 * Kafka and Redis for tests, in containers or as local processes, so that the same tests run with and without Docker.
 * Read {@link io.kipimo.endtoend.backends.WithBackends} first.
 */
package io.kipimo.endtoend.backends;
