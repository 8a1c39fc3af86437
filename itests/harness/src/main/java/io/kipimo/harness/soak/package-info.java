/** {@code kipimo soak}: a long run with kills, after which nothing is missing and nothing grew. */
package io.kipimo.harness.soak;
