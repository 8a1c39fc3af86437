/** Network addresses in settings. Read {@link io.kipimo.sdk.internal.net.Address}. */
package io.kipimo.sdk.internal.net;
