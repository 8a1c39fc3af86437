package io.kipimo.core.invalidation.index;

/** Takes the numbers of filters. */
@FunctionalInterface
interface SlotConsumer {
    void accept(int slot);
}
