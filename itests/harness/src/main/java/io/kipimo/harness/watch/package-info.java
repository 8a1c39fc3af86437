/** What a person watches while a demo runs: lines on the terminal, the console in a browser. */
package io.kipimo.harness.watch;
