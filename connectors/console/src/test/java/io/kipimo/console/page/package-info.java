/**
 * The page in a real Chromium, against the real server and a model that tests feed as the broker
 * would. Read {@link io.kipimo.console.page.ConsolePageITCase} first.
 */
package io.kipimo.console.page;
