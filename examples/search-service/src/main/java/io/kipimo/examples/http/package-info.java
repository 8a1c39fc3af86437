/** HTTP settings that the examples share. */
package io.kipimo.examples.http;
