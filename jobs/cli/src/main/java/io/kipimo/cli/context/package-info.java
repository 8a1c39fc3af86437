/** Command {@code kipimo context}, which saves defaults of brokers and other addresses. */
package io.kipimo.cli.context;
