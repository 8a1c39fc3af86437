package io.kipimo.operators;

import org.apache.flink.runtime.state.TestableKeyedStateBackend;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;

/** What an operator under test has in its keyed state. */
public final class KeyedState {
    private KeyedState() {}

    /** Number of entries of all keyed states, timers not counted. */
    public static int entries(AbstractStreamOperatorTestHarness<?> harness) {
        AbstractStreamOperator<?> operator = (AbstractStreamOperator<?>) harness.getOperator();
        return ((TestableKeyedStateBackend<?>) operator.getKeyedStateBackend()).numKeyValueStateEntries();
    }
}
