package io.kipimo.examples.search.frontend;

/**
 * Address of a component on 127.0.0.1.
 *
 * @param name the component's name in answers and partial results
 */
public record ComponentAddress(String name, int port) {}
