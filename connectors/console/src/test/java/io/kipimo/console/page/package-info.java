/**
 * The page in a real Chromium, with the real server and a model that tests fill instead of the broker. Read
 * {@link io.kipimo.console.page.ConsolePageITCase} first.
 */
package io.kipimo.console.page;
