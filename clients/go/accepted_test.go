package kipimo

import (
	"context"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/twmb/franz-go/pkg/kgo"
	"google.golang.org/protobuf/proto"

	"github.com/kipimo/kipimo/clients/go/wire"
)

func unHex(t *testing.T, text string) []byte {
	t.Helper()
	bytes, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// textOf decodes UTF-16; whole is false if it has half of a surrogate pair, which no UTF-8 has.
func textOf(t *testing.T, text string) (value string, whole bool) {
	bytes := unHex(t, text)
	var units []uint16
	for i := 0; i < len(bytes); i += 2 {
		units = append(units, uint16(bytes[i])<<8|uint16(bytes[i+1]))
	}
	value = string(utf16.Decode(units))
	return value, !strings.ContainsRune(value, '\ufffd')
}

func TestNamesAreAsInJava(t *testing.T) {
	file := load[struct {
		Vectors []struct {
			Utf16, Cleaned, Identifier string
			IsName                     bool
		}
	}](t, "names.json")
	for _, row := range file.Vectors {
		text, whole := textOf(t, row.Utf16)
		if !whole {
			continue
		}
		name, _ := textOf(t, row.Cleaned)
		id, _ := textOf(t, row.Identifier)
		if isName(text) != row.IsName || cleaned(text) != name || identifier(text) != id {
			t.Errorf("%q: %t, %q, %q", text, isName(text), cleaned(text), identifier(text))
		}
	}
	if got := cleaned("a\xff\xfe/b"); got != "a___b" {
		t.Errorf("no UTF-8: %q", got)
	}
}

func TestWhatReadersRefuseIsRefusedHere(t *testing.T) {
	file := load[struct {
		Vectors []struct {
			Message, Bytes, Refusal string
			IsReadable              bool
		}
	}](t, "readable.json")
	if len(file.Vectors) < 300 {
		t.Fatal(len(file.Vectors))
	}
	for _, row := range file.Vectors {
		var m proto.Message
		switch row.Message {
		case "AnswerProto":
			m = &wire.AnswerProto{}
		case "PartialResultProto":
			m = &wire.PartialResultProto{}
		default:
			m = &wire.ObservationProto{}
		}
		if err := proto.Unmarshal(unHex(t, row.Bytes), m); err != nil {
			t.Fatal(err)
		}
		if err := check(m); (err == nil) != row.IsReadable {
			t.Errorf("%v here, %q in Java: %v", err, row.Refusal, m)
		}
	}
}

type recorder struct{ records []*kgo.Record }

func (r *recorder) TryProduce(_ context.Context, record *kgo.Record, promise func(*kgo.Record, error)) {
	r.records = append(r.records, record)
	promise(record, nil)
}

var (
	oddNames = []string{
		"titles", "titles\u009b", "shard/3", strings.Repeat("x", 255) + "😀", strings.Repeat("x", 10_000),
		strings.Repeat("😀", 200), "", "a\x00b", "a\u202eb", "a\xed\xa0\xbd", "\xff", " ",
	}
	oddNumbers = []int64{0, 1, -1, 1 << 53, math.MaxInt64, math.MinInt64}
	oddReals   = []float64{0, 0.5, -0.1, 1.1, math.NaN(), math.Inf(1), math.Inf(-1)}
)

// calls have right values most of the time, so that the odd ones are met one by one, too.
type calls struct{ *rand.Rand }

func pick[T any](c calls, values []T) T { return values[c.IntN(len(values))] }

func mostly[T any](c calls, right T, odd []T) T {
	if c.IntN(8) > 0 {
		return right
	}
	return pick(c, odd)
}

func (c calls) time() int64 { return mostly(c, NowMillis(), append(oddNumbers, NowMillis()+3_600_000)) }

func (c calls) invocations() (all []Invocation) {
	for _, name := range []string{"a", "b", "c"}[:c.IntN(4)] {
		all = append(all, Invocation{
			mostly(c, name, oddNames), mostly(c, Outcome(1+c.IntN(4)), []Outcome{0, 9}), mostly(c, 1_000, oddNumbers),
		})
	}
	return all
}

func (c calls) items() Items {
	return Items{
		Texts:   []string{"d1", mostly(c, "d2", oddNames)},
		Scores:  []float32{2, float32(mostly(c, 1, oddReals))},
		Numbers: mostly(c, nil, [][]uint64{{1}}),
	}
}

func (c calls) emit(e *Emitter) {
	if c.IntN(2) == 0 {
		loss := pick(c, oddReals)
		e.EmitAnswer(mostly(c, &Answer{
			QueryID: mostly(c, "q", oddNames), QueryClass: mostly(c, "low", oddNames),
			StartedAtMillis: c.time(), AnsweredAtMillis: c.time(),
			DeadlineMillis: int32(mostly(c, 100, oddNumbers)), TopK: int32(mostly(c, 10, oddNumbers)),
			Invocations: c.invocations(), Items: c.items(), NotAskedLoss: mostly(c, nil, []*float64{&loss}),
			Variant: mostly(c, "", oddNames),
		}, []*Answer{nil}))
		return
	}
	e.EmitPartial(mostly(c, &PartialResult{
		QueryID: mostly(c, "q", oddNames), Component: mostly(c, "a", oddNames), Server: mostly(c, "", oddNames),
		Phase: mostly(c, PhaseOnline, []wire.PhaseProto{0, 9}), CompletedAtMillis: c.time(),
		LatencyMicros: mostly(c, 1_000, oddNumbers), Items: c.items(), StartedAtMillis: c.time(),
	}, []*PartialResult{nil}))
}

func readable(t *testing.T, m proto.Message, value []byte) {
	t.Helper()
	if err := proto.Unmarshal(value, m); err != nil {
		t.Fatal(err)
	}
	if err := check(m); err != nil {
		t.Fatal(err)
	}
}

func TestAnyCallsOfTheEmitter(t *testing.T) {
	for seed := range uint64(50) {
		c := calls{rand.New(rand.NewPCG(seed, 20261126))}
		sent := &recorder{}
		e := &Emitter{config: Config{Service: "search", TopicPrefix: "kipimo."}, outbox: newOutbox(1_000, sent, "")}
		for range 200 {
			c.emit(e)
		}
		e.EmitAnswer(&Answer{
			QueryID: "last", QueryClass: "low", StartedAtMillis: NowMillis(), AnsweredAtMillis: NowMillis(),
			Invocations: []Invocation{{"a", InTime, 1}},
		})
		e.outbox.close(func() {})
		for _, r := range sent.records {
			if r.Topic == "kipimo.answers" {
				readable(t, &wire.AnswerProto{}, r.Value)
			} else {
				readable(t, &wire.PartialResultProto{}, r.Value)
			}
		}
		s, delivered := e.Stats(), int64(len(sent.records))
		if s.Delivered != delivered || delivered < 50 || s.Accepted != 201 || s.Undelivered != 201-delivered {
			t.Fatalf("seed %d: %+v, %d records", seed, s, delivered)
		}
		if last := sent.records[delivered-1]; string(last.Key) != "last" {
			t.Fatalf("seed %d: the last record is %q's", seed, last.Key)
		}
	}
}

func meterOf(t *testing.T, published *[]*wire.ObservationProto) *Meter {
	config, err := Config{Service: "s", Server: "f", Classes: []Class{{"low", All}}}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	return newMeter(config, func(string) float64 { return 1 }, func() (int64, int64) { return 0, 0 },
		func(o *wire.ObservationProto) { *published = append(*published, o) }, 1_000)
}

func TestAnyCallsOfTheMeter(t *testing.T) {
	for seed := range uint64(100) {
		c := calls{rand.New(rand.NewPCG(seed, 20261126))}
		var published []*wire.ObservationProto
		m := meterOf(t, &published)
		for second := range int64(3) {
			for range 10 {
				one := m
				if c.IntN(3) == 0 {
					one = m.OfVariant(pick(c, oddNames))
				}
				loss := pick(c, oddReals)
				one.Offered("low")
				one.AnsweredInPart("low", c.invocations(), 0, &loss)
				one.LateResult("low", pick(c, oddNumbers))
			}
			m.publishClosedSeconds(2_000 + 1_000*second)
		}
		for _, o := range published {
			value, err := proto.Marshal(o)
			if err != nil {
				t.Fatal(err)
			}
			readable(t, &wire.ObservationProto{}, value)
		}
	}
}

func TestNamesAreCountedAsReadersSpellThem(t *testing.T) {
	var published []*wire.ObservationProto
	m := meterOf(t, &published)
	for _, name := range []string{"shard/3", "shard/3", "a\u009b", ""} {
		m.Answered("low", []Invocation{{name, InTime, 1}}, 0)
	}
	for i := range 12_000 {
		m.Answered("low", []Invocation{{strings.Repeat("検索", 100) + string(rune('a'+i)), TimedOut, 1}}, 0)
	}
	m.publishClosedSeconds(2_000)
	o := published[0]
	if size := proto.Size(o); size > 1_000_000 {
		t.Fatal(size, "bytes")
	}
	has := func(name string, invoked int64) bool {
		return slices.ContainsFunc(o.Components, func(c *wire.ComponentCountProto) bool {
			return c.Component == name && c.Invoked == invoked
		})
	}
	if !has("shard_3", 2) || !has("a_", 1) || has("", 1) || o.Answered != 12_004 {
		t.Fatal(o.Answered, len(o.Components))
	}
}
