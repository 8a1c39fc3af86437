/**
 * Tests of the page in a real Chromium, with the real server and a model that tests feed in place
 * of a broker. Read {@link io.kipimo.console.page.ConsolePageITCase} first.
 */
package io.kipimo.console.page;
