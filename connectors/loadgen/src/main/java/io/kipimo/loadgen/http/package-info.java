/** HTTP end points under load. Read {@link io.kipimo.loadgen.http.HttpTarget} first. */
package io.kipimo.loadgen.http;
