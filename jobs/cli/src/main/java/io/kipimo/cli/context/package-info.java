/** Command {@code kipimo context}: saved defaults of brokers and other addresses. */
package io.kipimo.cli.context;
