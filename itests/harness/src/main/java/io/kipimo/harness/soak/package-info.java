/** {@code kipimo soak}: a long run with kills, which checks that no data is lost and no figure grows. */
package io.kipimo.harness.soak;
