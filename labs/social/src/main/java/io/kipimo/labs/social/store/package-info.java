/**
 * The social workload's actions on a data store, and loading it. On Redis each action is atomic: a single command, or a
 * script on the server. One server, no cluster: a friendship touches keys of two members.
 *
 * <p>Read {@link io.kipimo.labs.social.store.SocialStore} first.
 */
package io.kipimo.labs.social.store;
