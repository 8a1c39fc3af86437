/**
 * Kafka and Redis for tests, in containers or as local processes: the same tests run where Docker
 * is and where it is not. Read {@link io.kipimo.endtoend.backends.WithBackends} first.
 */
package io.kipimo.endtoend.backends;
