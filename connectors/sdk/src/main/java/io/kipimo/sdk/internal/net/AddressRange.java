package io.kipimo.sdk.internal.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range of addresses with the same leading bits (CIDR, RFC 4632).
 *
 * @param first any address of the range
 * @param bits number of leading bits, 0..32 for IPv4, 0..128 for IPv6
 */
public record AddressRange(InetAddress first, int bits) {
    private static final Pattern FORM = Pattern.compile("([0-9a-fA-F:.]+)(?:/(\\d{1,3}))?");

    private static final Pattern IPV4 = Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}");
    private static final Pattern IPV6 = Pattern.compile("(?=[^:]*:)[0-9a-fA-F:][0-9a-fA-F:.]*");

    /** Every address. */
    public static final List<AddressRange> ALL =
            List.of(parse("0.0.0.0/0").orElseThrow(), parse("::/0").orElseThrow());

    /** Loopback addresses, for callers on the same machine. */
    public static final List<AddressRange> LOOPBACK =
            List.of(parse("127.0.0.0/8").orElseThrow(), parse("::1").orElseThrow());

    /** Reads {@code 10.0.0.0/8} or a single address; empty if it is neither. */
    public static Optional<AddressRange> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        return address(form.group(1)).flatMap(address -> {
            int most = address.getAddress().length * Byte.SIZE;
            int bits = form.group(2) == null ? most : Integer.parseInt(form.group(2));
            return bits > most ? Optional.empty() : Optional.of(new AddressRange(address, bits));
        });
    }

    /** Whether the range contains the address, given as digits. */
    public boolean contains(String address) {
        return address(address).filter(this::contains).isPresent();
    }

    private boolean contains(InetAddress address) {
        byte[] mine = first.getAddress();
        byte[] other = address.getAddress();
        if (mine.length != other.length) {
            return false;
        }
        for (int bit = 0; bit < bits; bit++) {
            int mask = 0x80 >> bit % Byte.SIZE;
            if (((mine[bit / Byte.SIZE] ^ other[bit / Byte.SIZE]) & mask) != 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Parses an address without a name look-up: only texts in the form of an IPv4 or IPv6 address reach
     * {@link InetAddress}, which accepts or refuses them. An IPv4-mapped IPv6 address becomes the IPv4 address.
     */
    private static Optional<InetAddress> address(String digits) {
        String plain = digits.replaceFirst("%.*$", "");
        if (!IPV4.matcher(plain).matches() && !IPV6.matcher(plain).matches()) {
            return Optional.empty();
        }
        try {
            return Optional.of(InetAddress.getByName(plain));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return first.getHostAddress() + '/' + bits;
    }
}
