/**
 * The social workload's actions on a data store, and the loading of the store. On Redis each action is atomic: a single
 * command, or a script on the server. A cluster would not do, because a friendship touches keys of two members, so
 * there is one server.
 *
 * <p>Read {@link io.kipimo.labs.social.store.SocialStore} first.
 */
package io.kipimo.labs.social.store;
