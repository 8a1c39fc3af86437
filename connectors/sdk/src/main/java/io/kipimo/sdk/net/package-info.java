/** Network addresses in settings. Read {@link io.kipimo.sdk.net.Address}. */
package io.kipimo.sdk.net;
