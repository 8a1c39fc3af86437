/**
 * The HTTP server of health, metrics and other small pages. A client that is slow, silent or numerous takes no other's
 * turn. Read {@link io.kipimo.http.PageServer} first.
 */
package io.kipimo.http;
