/**
 * What the tests of every module share. {@link io.kipimo.testing.Patience} says how long a test waits for something.
 */
package io.kipimo.testing;
