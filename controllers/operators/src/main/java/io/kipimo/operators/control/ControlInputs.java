package io.kipimo.operators.control;

import io.kipimo.operators.policy.PolicyBook.SerializableFunction;
import io.kipimo.operators.types.Format;
import io.kipimo.schemas.codec.Codecs;
import io.kipimo.schemas.policy.Policy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.typeutils.EitherTypeInfo;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.types.Either;

/** Merges the inputs that a controller has besides its windows: policies, and the other controller's decisions. */
public final class ControlInputs {
    private ControlInputs() {}

    /**
     * Merges policies and decisions into one stream, keyed by service. Each operator has the parallelism of the stream
     * before it, so that records keep their order.
     *
     * @param service returns the service of a decision
     * @param uid prefix of the operators' uids
     */
    public static <O> KeyedStream<Either<Policy, O>, String> of(
            SingleOutputStreamOperator<Policy> policies,
            SingleOutputStreamOperator<O> decisions,
            TypeInformation<O> type,
            SerializableFunction<O, String> service,
            String uid) {
        TypeInformation<Either<Policy, O>> either = new EitherTypeInfo<>(Format.typeOf(Codecs.POLICY), type);
        DataStream<Either<Policy, O>> inputs = map(policies, Either::Left, either, uid + "-policies");
        return inputs.union(map(decisions, Either::Right, either, uid + "-turns"))
                .keyBy(input -> input.isLeft() ? input.left().service() : service.apply(input.right()), Types.STRING);
    }

    private static <T, R> DataStream<R> map(
            SingleOutputStreamOperator<T> stream, MapFunction<T, R> to, TypeInformation<R> type, String uid) {
        return stream.map(to)
                .returns(type)
                .setParallelism(stream.getParallelism())
                .uid(uid)
                .name(uid);
    }
}
