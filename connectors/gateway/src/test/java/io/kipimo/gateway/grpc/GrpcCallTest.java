package io.kipimo.gateway.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.MultiMap;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrpcCallTest {
    private static MultiMap with(String name, String value) {
        return MultiMap.caseInsensitiveMultiMap().add(name, value);
    }

    private static MultiMap timeOut(String text) {
        return with("content-type", "application/grpc").add("grpc-timeout", text);
    }

    @ParameterizedTest
    @CsvSource({"2H, 7200000", "3M, 180000", "5S, 5000", "250m, 250", "2500u, 2", "5n, 1"})
    void aTimeOutHasAUnit(String text, long millis) {
        assertThat(GrpcCall.timeoutMillis(timeOut(text))).hasValue(millis);
    }

    @ParameterizedTest
    @CsvSource({"123456789S", "5", "5s", "-1S"})
    void aTimeOutOfAnotherFormIsNone(String text) {
        assertThat(GrpcCall.timeoutMillis(timeOut(text))).isEqualTo(OptionalLong.empty());
    }

    @Test
    void onlyACallHasATimeOut() {
        assertThat(GrpcCall.timeoutMillis(with("grpc-timeout", "5S"))).isEqualTo(OptionalLong.empty());
    }

    @Test
    void aCallIsToldByItsType() {
        assertThat(GrpcCall.is(with("content-type", "application/grpc+proto"))).isTrue();
        assertThat(GrpcCall.is(with("content-type", "application/json"))).isFalse();
        assertThat(GrpcCall.is(MultiMap.caseInsensitiveMultiMap())).isFalse();
    }
}
