/**
 * The HTTP server of health, metrics and other small pages. Clients that are slow, silent or numerous do not block
 * others. Read {@link io.kipimo.http.PageServer} first.
 */
package io.kipimo.http;
