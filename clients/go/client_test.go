package kipimo

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
	"google.golang.org/protobuf/proto"

	"github.com/kipimo/kipimo/clients/go/wire"
)

// Nothing listens on port 1.
func away(t testing.TB, buffer int) *Client {
	c, err := Connect(Config{
		Service: "shop", Server: "f1", BootstrapServers: []string{"127.0.0.1:1"}, BufferEvents: buffer,
		Classes: []Class{{"high", All}, {"low", Sheddable(0.02)}}, InitialSamplingRate: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func partial(id string) *PartialResult {
	return &PartialResult{
		QueryID: id, Component: "dense", Phase: PhaseMature, CompletedAtMillis: 2_000,
		LatencyMicros: 5, StartedAtMillis: 1_000, Items: Items{Numbers: []uint64{1}, Scores: []float32{1}},
	}
}

func TestBrokerAwayNothingBlocksAndDropsAreCounted(t *testing.T) {
	c := away(t, 100)
	begun := time.Now()
	for i := range 5_000 {
		c.Emitter.EmitPartial(partial(strconv.Itoa(i)))
		if c.WaitingEvents() > 100 {
			t.Fatal(c.WaitingEvents(), "events wait")
		}
	}
	if took := time.Since(begun); took > time.Second {
		t.Fatal("5,000 events took", took)
	}
	if _, known := c.Completeness.Predict("high", []Invocation{{"dense", TimedOut, 0}}); known {
		t.Fatal("a quality is known without a model")
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	begun = time.Now()
	c.Close(ctx)
	if took := time.Since(begun); took > 8*time.Second {
		t.Fatal("closing took", took)
	}
	s := c.Emitter.Stats()
	if s.Delivered != 0 || s.Accepted+s.DroppedFull != 5_000 || s.Undelivered != s.Accepted || s.Accepted > 100 {
		t.Fatalf("%+v", s)
	}
	c.Emitter.EmitPartial(partial("late"))
	if c.Emitter.Stats().DroppedFull != s.DroppedFull+1 {
		t.Fatal("an event after Close is not counted")
	}
}

func TestMeterCountsEveryQueryOnce(t *testing.T) {
	var published []*wire.ObservationProto
	config, err := Config{Service: "shop", Server: "f1", Classes: []Class{{"high", All}, {"low", All}}}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	m := newMeter(config, func(string) float64 { return 0.5 }, func() (int64, int64) { return 70, 2 },
		func(o *wire.ObservationProto) { published = append(published, o) }, 1_500)
	for range 3 {
		m.Offered("high")
	}
	m.Rejected("high")
	m.Answered("high", []Invocation{{"bm25", InTime, 10_000}, {"dense", TimedOut, 50_000}}, 0)
	m.Answered("high", nil, 0)
	m.LateResult("high", 30_000)
	m.Offered("undeclared")
	m.publishClosedSeconds(1_999)
	if len(published) != 0 {
		t.Fatal("an open second was published")
	}
	m.publishClosedSeconds(4_000)
	if len(published) != 6 {
		t.Fatal(len(published))
	}
	want := &wire.ObservationProto{
		Service: "shop", Tier: "front", Server: "f1", QueryClass: "high", SecondMillis: 3_000,
		Offered: 3, Rejected: 1, Answered: 2, TimedOut: 1, LateResults: 1, LateWorkMicros: 30_000,
		EmittedBytes: 70, DroppedEvents: 2, AdmittedFraction: 0.5, AnswerWorkMicros: 60_000,
		Components: []*wire.ComponentCountProto{
			{Component: "bm25", Invoked: 1}, {Component: "dense", Invoked: 1, TimedOut: 1},
		},
		Missing:      []*wire.MissingCountProto{{Component: "dense", Answers: 1}},
		Unmeasurable: []*wire.UnmeasurableCountProto{{Reason: NoComponents, Answers: 1}},
	}
	if !proto.Equal(published[4], want) {
		t.Fatalf("%v\nwant %v", published[4], want)
	}
}

func TestEveryReasonIsCountedAndSent(t *testing.T) {
	config, err := Config{Service: "shop", Server: "f1", Classes: []Class{{"high", All}}}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	var published []*wire.ObservationProto
	m := newMeter(config, func(string) float64 { return 1 }, func() (int64, int64) { return 0, 0 },
		func(o *wire.ObservationProto) { published = append(published, o) }, 1_500)
	for reason := range wire.UnmeasurableProto_name {
		if reason > 0 {
			m.Answered("high", []Invocation{{"bm25", InTime, 1}}, wire.UnmeasurableProto(reason))
			a := &Answer{QueryID: "q", QueryClass: "high", StartedAtMillis: 1, AnsweredAtMillis: 2,
				DeadlineMillis: 1, Unmeasurable: wire.UnmeasurableProto(reason)}
			if err := check(a.toWire("shop")); err != nil {
				t.Error(reason, err)
			}
		}
	}
	m.publishClosedSeconds(3_000)
	counted := map[wire.UnmeasurableProto]bool{}
	for _, o := range published {
		for _, u := range o.Unmeasurable {
			counted[u.Reason] = true
		}
	}
	if len(counted) != len(wire.UnmeasurableProto_name)-1 || !counted[NoList] {
		t.Fatal(counted)
	}
}

func TestEachVariantIsCountedByItself(t *testing.T) {
	var published []*wire.ObservationProto
	config, err := Config{
		Service: "shop", Server: "f1", Classes: []Class{{"high", All}}, Variant: "stable",
	}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	m := newMeter(config, func(string) float64 { return 1 }, func() (int64, int64) { return 7, 0 },
		func(o *wire.ObservationProto) { published = append(published, o) }, 0)
	canary := m.OfVariant("canary")
	if m.OfVariant("canary") != canary || canary.OfVariant("stable") != m {
		t.Fatal("a variant has two meters")
	}
	canary.Offered("high")
	m.publishClosedSeconds(1_000)
	if len(published) != 2 || published[0].Variant != "stable" || published[0].EmittedBytes != 7 ||
		published[1].Variant != "canary" || published[1].Offered != 1 || published[1].EmittedBytes != 0 {
		t.Fatal(published)
	}
	for i := range 6 {
		m.OfVariant(fmt.Sprint("arm", i))
	}
	if m.OfVariant("one more").Variant() != "other" || m.OfVariant("a/b") != m.OfVariant("other") {
		t.Fatal("names are not bounded")
	}
}

func TestAnAnswerHasTheVariantOfItsInstanceUnlessItNamesItsOwn(t *testing.T) {
	sent := make(chan *wire.AnswerProto, 2)
	o := newOutbox(2, senderFunc(func(r *kgo.Record) {
		w := &wire.AnswerProto{}
		if err := proto.Unmarshal(r.Value, w); err != nil {
			t.Error(err)
		}
		sent <- w
	}), "")
	e := &Emitter{config: Config{Service: "shop", Variant: "canary"}, outbox: o}
	answer := Answer{QueryID: "q", QueryClass: "high", StartedAtMillis: 1, AnsweredAtMillis: 2}
	named := answer
	named.Variant = "arm"
	e.EmitAnswer(&answer)
	e.EmitAnswer(&named)
	if first, second := <-sent, <-sent; first.Variant != "canary" || second.Variant != "arm" {
		t.Fatal(first, second)
	}
	o.close(func() {})
}

// slowSender confirms a record when it is told to.
type slowSender struct {
	sent     chan int64
	promises chan func(*kgo.Record, error)
}

func (s slowSender) TryProduce(_ context.Context, r *kgo.Record, promise func(*kgo.Record, error)) {
	s.promises <- promise
	s.sent <- r.Timestamp.UnixMilli()
}

func TestCountsWaitUntilAllEarlierEventsHaveArrived(t *testing.T) {
	sender := slowSender{make(chan int64, 10), make(chan func(*kgo.Record, error), 10)}
	o := newOutbox(10, sender, "counts")
	confirm := func(err error) { (<-sender.promises)(&kgo.Record{}, err) }
	var counted tally
	for i, topic := range []string{"answers", "answers", "counts", "answers", "counts"} {
		var encode func() proto.Message
		if topic == "answers" {
			answer := Answer{QueryID: "q", QueryClass: "high", StartedAtMillis: 1, AnsweredAtMillis: 2,
				Invocations: []Invocation{{"a", InTime, 1}}}
			encode = func() proto.Message { return answer.toWire("shop") }
		} else {
			encode = func() proto.Message {
				return &wire.ObservationProto{Service: "shop", Tier: "front", Server: "s", QueryClass: "high",
					SecondMillis: 1000, AdmittedFraction: 1}
			}
		}
		o.offer(letter{topic, "k", int64(i + 1), encode, &counted})
	}
	expect := func(millis ...int64) {
		t.Helper()
		for _, one := range millis {
			if got := <-sender.sent; got != one {
				t.Fatal(got, one)
			}
		}
		select {
		case got := <-sender.sent:
			t.Fatal("too early", got)
		default:
		}
	}
	expect(1, 2, 4)
	confirm(nil)
	expect()
	// What is lost ends the wait, too.
	confirm(errors.New("no leader"))
	expect(3)
	o.close(func() { confirm(nil) })
	expect(5)
	if counted.undelivered.Load() != 1 {
		t.Fatal(counted.stats())
	}
}

type senderFunc func(*kgo.Record)

func (f senderFunc) TryProduce(_ context.Context, r *kgo.Record, promise func(*kgo.Record, error)) {
	f(r)
	promise(r, nil)
}

func TestAnswersWithoutAnItemArePartOfThoseWhoseListIsKnown(t *testing.T) {
	var published []*wire.ObservationProto
	meter := newMeter(
		Config{Service: "s", Tier: "t", Server: "f", Classes: []Class{{"c", All}}},
		func(string) float64 { return 1 }, func() (int64, int64) { return 0, 0 },
		func(o *wire.ObservationProto) { published = append(published, o) }, 0,
	)
	there := []Invocation{{"bm25", InTime, 1}}
	meter.Listed("c", 10)
	meter.Listed("c", 0)
	meter.Answered("c", there, 0)
	meter.publishClosedSeconds(1_000)
	meter.Answered("c", there, 0)
	meter.publishClosedSeconds(2_000)
	for i, empty := range []int64{1, 0} {
		if o := published[i]; o.Answered != 1 || o.Listed != 1 || o.Empty != empty {
			t.Errorf("second %d: %v", i, o)
		}
	}
}

func TestWhatWasNotAskedIsCountedApartFromWhatWasLate(t *testing.T) {
	var published []*wire.ObservationProto
	config, err := Config{Service: "shop", Server: "f1", Classes: []Class{{"high", All}}}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	m := newMeter(config, func(string) float64 { return 1 }, func() (int64, int64) { return 0, 0 },
		func(o *wire.ObservationProto) { published = append(published, o) }, 1_500)
	leftOut, loss := Invocation{"graph", OutcomeNotAsked, 0}, 0.25
	m.AnsweredInPart("high", []Invocation{{"bm25", InTime, 1}, leftOut}, 0, &loss)
	m.Answered("high", []Invocation{{"bm25", InTime, 1}, {"dense", TimedOut, 1}, leftOut}, 0)
	m.Answered("high", []Invocation{leftOut}, 0)
	m.publishClosedSeconds(2_000)
	want := &wire.ObservationProto{
		Service: "shop", Tier: "front", Server: "f1", QueryClass: "high", SecondMillis: 1_000,
		Answered: 3, TimedOut: 1, AdmittedFraction: 1, AnswerWorkMicros: 3,
		Components: []*wire.ComponentCountProto{
			{Component: "bm25", Invoked: 2}, {Component: "dense", Invoked: 1, TimedOut: 1}, {Component: "graph"},
		},
		Missing:            []*wire.MissingCountProto{{Component: "dense", Answers: 1}},
		Unmeasurable:       []*wire.UnmeasurableCountProto{{Reason: NoComponents, Answers: 1}},
		NotAsked:           2,
		NotAskedLossSum:    1.25,
		NotAskedComponents: []*wire.MissingCountProto{{Component: "graph", Answers: 2}},
	}
	if len(published) != 1 || !proto.Equal(published[0], want) {
		t.Fatalf("%v\nwant %v", published, want)
	}
	answer := Answer{Invocations: []Invocation{{"bm25", InTime, 1}, leftOut}, NotAskedLoss: &loss, Explored: true}
	if w := answer.toWire("shop"); answer.IsDegraded() || w.GetNotAskedLoss() != 0.25 || !w.Explored {
		t.Fatal(w)
	}
}

func TestBadConfigurationsAreErrors(t *testing.T) {
	for _, c := range []Config{
		{},
		{Service: "a/b", Server: "s", Classes: []Class{{"high", All}}},
		{Service: "a", Server: "s", Classes: []Class{{"high", ClassDefaults{}}}},
		{Service: "a", Server: "s", Classes: []Class{{"high", All}}, InitialSamplingRate: 2},
	} {
		if _, err := Connect(c); err == nil {
			t.Fatalf("%+v", c)
		}
	}
}

// sink accepts every record immediately.
type sink struct{}

func (sink) TryProduce(_ context.Context, r *kgo.Record, done func(*kgo.Record, error)) {
	done(r, nil)
}

func benchmarkItems() Items {
	items := Items{}
	for i := range 20 {
		items.Numbers = append(items.Numbers, uint64(i))
		items.Scores = append(items.Scores, float32(20-i))
	}
	return items
}

// Events of 20 items, encoded and handed to a producer that accepts everything.
func BenchmarkEmit(b *testing.B) {
	p := partial(NewTraceID())
	p.Items = benchmarkItems()
	o := newOutbox(1_000_000, sink{}, "")
	e := &Emitter{config: Config{Service: "bench", TopicPrefix: "bench."}, outbox: o}
	for b.Loop() {
		for o.outstanding.Load() >= 1_000_000 {
			time.Sleep(time.Millisecond)
		}
		e.EmitPartial(p)
	}
	o.close(func() {})
	b.ReportMetric(float64(e.Stats().Delivered)/b.Elapsed().Seconds(), "events/s")
}

// Cost of one query for its caller at 1 % sampling.
func BenchmarkQuery(b *testing.B) {
	c := away(b, 10_000)
	c.rates.initial = 0.01
	ids := make([]string, 4_096)
	for i := range ids {
		ids[i] = NewTraceID()
	}
	invocations := []Invocation{{"bm25", InTime, 9_000}, {"dense", InTime, 9_000}, {"graph", InTime, 9_000}}
	i := 0
	for b.Loop() {
		id := ids[i%len(ids)]
		i++
		c.Meter.Offered("high")
		c.Admission.Admits("high", id)
		c.Completeness.Predict("high", invocations)
		c.Meter.Answered("high", invocations, 0)
		now := NowMillis()
		if c.Emitter.IsSampled(id, now) {
			c.Emitter.EmitAnswer(&Answer{
				QueryID: id, QueryClass: "high", StartedAtMillis: now, AnsweredAtMillis: now,
				DeadlineMillis: 50, Invocations: invocations,
			})
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	c.Close(ctx)
}
