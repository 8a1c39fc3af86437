package io.kipimo.core.invalidation.filter;

/** Takes the numbers of filters. */
@FunctionalInterface
interface SlotConsumer {
    void accept(int slot);
}
