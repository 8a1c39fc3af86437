package io.kipimo.sdk.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressRangeTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.0.1, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "10.1.2.3, 10.1.2.3, true",
        "10.1.2.3, 10.1.2.2, false",
        "192.168.4.0/22, 192.168.7.255, true",
        "192.168.4.0/22, 192.168.8.0, false",
        "0.0.0.0/0, 1.2.3.4, true",
        "0.0.0.0/0, ::1, false",
        "::/0, 2001:db8::1, true",
        "::/0, 1.2.3.4, false",
        "fd00::/8, fdff::1, true",
        "fd00::/8, fe00::1, false",
        "::1, ::1, true",
        "fe80::/10, fe80::1%eth0, true",
        "127.0.0.0/8, ::ffff:127.0.0.1, true",
        "127.0.0.0/8, shop.example, false",
        "127.0.0.0/8, '', false"
    })
    void containsWhatBeginsWithTheSameBits(String range, String address, boolean expected) {
        assertThat(AddressRange.parse(range).orElseThrow().contains(address)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "10.0.0/8",
                "10.0.0.0/33",
                "::/129",
                "10.0.0.0/-1",
                "10.0.0.0/",
                "10.0.0.0/8/8",
                " 10.0.0.0",
                "10.0.0.256",
                "any",
                "1.2.3.4.5",
                "fe80::1%lo"
            })
    void whatIsNoRangeIsRefused(String text) {
        assertThat(AddressRange.parse(text)).isEmpty();
    }

    @Test
    void everybodyIsEveryAddress() {
        for (String address : new String[] {"1.2.3.4", "::1", "2001:db8::1", "::ffff:1.2.3.4"}) {
            assertThat(AddressRange.ALL).anyMatch(range -> range.contains(address));
        }
    }
}
