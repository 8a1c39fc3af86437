package kipimo

import (
	"context"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/proto"

	"github.com/kipimo/kipimo/clients/go/wire"
)

var (
	shards     = []string{"shard-0", "shard-1", "shard-2"}
	knownTerms = []uint64{0, 7}
)

// The publications of the golden vectors, by number: 0 is ON, 3 is SHADOW, 4 is OFF.
func goldenPublication(t *testing.T, number int, changes ...func(*wire.FanOutPublicationProto)) []byte {
	t.Helper()
	file := load[struct {
		Cases []struct{ Publication string }
	}](t, "fan-out.json")
	record, err := hex.DecodeString(file.Cases[number].Publication)
	w := &wire.FanOutPublicationProto{}
	if err == nil {
		err = proto.Unmarshal(record, w)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range changes {
		change(w)
	}
	// Texts that are no UTF-8 cannot be written; all others can.
	if record, err = proto.Marshal(w); err != nil {
		t.Fatal(err)
	}
	return record
}

func fanOutWith(t *testing.T, now *int64, records ...[]byte) *FanOut {
	t.Helper()
	f := newFanOut("search", []Class{{"low", All}, {"high", All}}, func() int64 { return *now })
	for _, record := range records {
		if err := f.offerRecord(record); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

func leaseOf(t *testing.T, record []byte) (learned, ends int64) {
	t.Helper()
	w := &wire.FanOutPublicationProto{}
	if err := proto.Unmarshal(record, w); err != nil {
		t.Fatal(err)
	}
	return w.LearnedAtMillis, w.ValidUntilMillis
}

func asksAll(t *testing.T, c FanOutChoice, reason FanOutReason, components []string) {
	t.Helper()
	if c.Reason != reason || !slices.Equal(c.Asked, components) || c.ExpectedLoss() != 0 || c.NotAskedLoss() != nil {
		t.Errorf("%+v, want %v and all", c, reason)
	}
}

func TestAGoodPublicationLeavesComponentsOutUntilItsLeaseEnds(t *testing.T) {
	on := goldenPublication(t, 0)
	learned, ends := leaseOf(t, on)
	now := learned
	f := fanOutWith(t, &now, on)
	for _, now = range []int64{learned, ends - 1} {
		c := f.Choose("low", "query-0", knownTerms, shards)
		if c.Reason != FanOutChosen || !slices.Equal(c.Asked, shards[:1]) || c.Explored() || c.Proposed != nil {
			t.Fatalf("%+v", c)
		}
		if loss := *c.NotAskedLoss(); math.Abs(loss-0.150757379) > 1e-6 || loss != c.ExpectedLoss() {
			t.Fatal(loss)
		}
	}
	now = ends
	asksAll(t, f.Choose("low", "query-0", knownTerms, shards), FanOutExpired, shards)
	if r := f.Reasons(); len(r) != 2 || r[FanOutChosen] != 2 || r[FanOutExpired] != 1 {
		t.Fatal(r)
	}
	if f.Publication("low").Version != 5 || f.Publication("high") != nil || f.Publication("undeclared") != nil {
		t.Fatal("other publications")
	}
}

func TestAnyDoubtAsksAll(t *testing.T) {
	on := goldenPublication(t, 0)
	now, ends := leaseOf(t, on)
	f := fanOutWith(t, &now, on)
	for _, components := range [][]string{
		shards[:2],
		{"shard-0", "shard-1", "shard-2", "shard-3"},
		{"shard-0", "shard-1", "shard-9"},
		{"shard-0", "shard-1", "shard-1"},
		nil,
	} {
		asksAll(t, f.Choose("low", "query-0", knownTerms, components), FanOutOtherLayout, components)
	}
	asksAll(t, f.Choose("low", "query-0", nil, shards), FanOutNoFeatures, shards)
	asksAll(t, f.Choose("high", "query-0", knownTerms, shards), FanOutNotPublished, shards)
	asksAll(t, f.Choose("undeclared", "query-0", knownTerms, shards), FanOutNotPublished, shards)

	fewTested := goldenPublication(t, 0, func(w *wire.FanOutPublicationProto) {
		for i := range w.Model.Tested {
			w.Model.Tested[i] /= 10
		}
	})
	promisedTooMuch := goldenPublication(t, 0, func(w *wire.FanOutPublicationProto) {
		for i := range w.Model.Predicted {
			w.Model.Predicted[i] *= 2
		}
	})
	for _, record := range [][]byte{fewTested, promisedTooMuch} {
		c := fanOutWith(t, &now, record).Choose("low", "query-0", knownTerms, shards)
		asksAll(t, c, FanOutNotCalibrated, shards)
	}
	shadow := fanOutWith(t, &now, goldenPublication(t, 3)).Choose("low", "query-0", knownTerms, shards)
	asksAll(t, shadow, FanOutShadow, shards)
	if p := shadow.Proposed; p == nil || !slices.Equal(p.Asked, shards[:1]) || p.ExpectedLoss() <= 0 {
		t.Fatalf("%+v", p)
	}
	off := fanOutWith(t, &now, goldenPublication(t, 4))
	asksAll(t, off.Choose("low", "query-0", knownTerms, shards), FanOutOff, shards)
	if off.explorationAt(now) != 0 || f.explorationAt(now) != 0.1 || f.explorationAt(ends) != 0 {
		t.Fatal("exploration without a model")
	}
	many := append(slices.Repeat(knownTerms, 32), 3, 3, 3)
	first, all := f.Choose("low", "query-0", many[:64], shards), f.Choose("low", "query-0", many, shards)
	if first.ExpectedQuality != all.ExpectedQuality || !slices.Equal(first.Asked, all.Asked) {
		t.Fatal("a feature after the 64th counts")
	}
}

func TestImpossiblePublicationsAreRefusedAndTheLastGoodOneHoldsOn(t *testing.T) {
	type publication = wire.FanOutPublicationProto
	nan, inf := math.NaN(), math.Inf(1)
	on := goldenPublication(t, 0)
	now, _ := leaseOf(t, on)
	good, fresh := fanOutWith(t, &now, on), fanOutWith(t, &now)
	refused := int64(0)
	refuse := func(name string, record []byte) {
		t.Helper()
		refused++
		if good.offerRecord(record) == nil || fresh.offerRecord(record) == nil {
			t.Errorf("%s is taken", name)
		}
		asksAll(t, fresh.Choose("low", "query-0", knownTerms, shards), FanOutNotPublished, shards)
		if good.Choose("low", "query-0", knownTerms, shards).Reason != FanOutChosen {
			t.Errorf("%s: the last good one is lost", name)
		}
	}
	refuse("garbage", []byte{0xff, 0xff})
	refuse("OFF with a model", goldenPublication(t, 0, func(w *publication) { w.State = 3 }))
	for name, change := range map[string]func(*publication){
		"no service":                func(w *publication) { w.Service = "" },
		"a scope as class":          func(w *publication) { w.QueryClass = "a/b" },
		"a control character":       func(w *publication) { w.Reason = "a\nb" },
		"a long reason":             func(w *publication) { w.Reason = strings.Repeat("x", 257) },
		"a long reason in UTF-16":   func(w *publication) { w.Reason = strings.Repeat("🔎", 129) },
		"no state":                  func(w *publication) { w.State = 0 },
		"a state of the future":     func(w *publication) { w.State = 9 },
		"a version below 0":         func(w *publication) { w.Version = -1 },
		"learned never":             func(w *publication) { w.LearnedAtMillis = 0 },
		"a lease that ended before": func(w *publication) { w.ValidUntilMillis = w.LearnedAtMillis - 1 },
		"a lease beyond 2200":       func(w *publication) { w.ValidUntilMillis = latestMillis + 1 },
		"a NaN floor":               func(w *publication) { w.Floor = nan },
		"a floor above 1":           func(w *publication) { w.Floor = 1.1 },
		"a price below 0":           func(w *publication) { w.Price = -1 },
		"an infinite price":         func(w *publication) { w.Price = inf },
		"NaN exploration":           func(w *publication) { w.Exploration = nan },
		"too much exploration":      func(w *publication) { w.Exploration = 1.5 },
		"ON without a model":        func(w *publication) { w.Model = nil },
		"no components":             func(w *publication) { w.Model.Components = nil },
		"a component twice":         func(w *publication) { w.Model.Components[0] = "shard-1" },
		"a component without name":  func(w *publication) { w.Model.Components[0] = "" },
		"a bias too few":            func(w *publication) { w.Model.Bias = w.Model.Bias[1:] },
		"a cost too many":           func(w *publication) { w.Model.Costs = append(w.Model.Costs, 1) },
		"nine tenths":               func(w *publication) { w.Model.Kept = w.Model.Kept[1:] },
		"a table too short":         func(w *publication) { w.Model.Table = w.Model.Table[1:] },
		"a table too long":          func(w *publication) { w.Model.Table = append(w.Model.Table, 0) },
		"no table":                  func(w *publication) { w.Model.Table = nil },
		"other rows than stated":    func(w *publication) { w.Model.RowBits-- },
		"rows below 0":              func(w *publication) { w.Model.RowBits = -1 },
		"too many rows":             func(w *publication) { w.Model.RowBits = 18 },
		"a NaN step":                func(w *publication) { w.Model.Step = nan },
		"a step below 0":            func(w *publication) { w.Model.Step = -1 },
		"a cost of 0":               func(w *publication) { w.Model.Costs[0] = 0 },
		"an infinite cost":          func(w *publication) { w.Model.Costs[0] = inf },
		"a NaN cost":                func(w *publication) { w.Model.Costs[0] = nan },
		"a NaN bias":                func(w *publication) { w.Model.Bias[0] = nan },
		"an infinite bias":          func(w *publication) { w.Model.Bias[0] = -inf },
		"NaN tested":                func(w *publication) { w.Model.Tested[0] = nan },
		"NaN predicted":             func(w *publication) { w.Model.Predicted[0] = nan },
		"NaN kept":                  func(w *publication) { w.Model.Kept[0] = nan },
		"a sum below 0":             func(w *publication) { w.Model.Kept[0] = -1 },
	} {
		refuse(name, goldenPublication(t, 0, change))
	}
	if good.UnreadablePublications() != refused {
		t.Fatal(good.UnreadablePublications(), "of", refused)
	}
}

func TestTheNewestVersionOfTheOwnServiceAndClassHolds(t *testing.T) {
	version := func(n int64) func(*wire.FanOutPublicationProto) {
		return func(w *wire.FanOutPublicationProto) { w.Version = n }
	}
	now, _ := leaseOf(t, goldenPublication(t, 0))
	f := fanOutWith(t, &now, goldenPublication(t, 4, version(6)), goldenPublication(t, 0),
		goldenPublication(t, 0, version(9), func(w *wire.FanOutPublicationProto) { w.Service = "other" }),
		goldenPublication(t, 0, version(9), func(w *wire.FanOutPublicationProto) { w.QueryClass = "other" }))
	asksAll(t, f.Choose("low", "query-0", knownTerms, shards), FanOutOff, shards)
	if err := f.offerRecord(goldenPublication(t, 0, version(6))); err != nil {
		t.Fatal(err)
	}
	if c := f.Choose("low", "query-0", knownTerms, shards); c.Reason != FanOutChosen {
		t.Fatalf("%+v", c)
	}
}

func TestAfterTheGreatestShareTheOneWithMostForItsCostComesNext(t *testing.T) {
	now, _ := leaseOf(t, goldenPublication(t, 0))
	for _, row := range []struct {
		floor, price float64
		asked        []string
	}{
		{0.65, 0, []string{"shard-0", "shard-2"}},
		// By price * cost / all costs: 0.3 of 10 / 20 is worth 0.5, but not 0.7.
		{0.1, 0.5, shards},
		{0.1, 0.7, []string{"shard-0", "shard-2"}},
	} {
		f := fanOutWith(t, &now, goldenPublication(t, 0, func(w *wire.FanOutPublicationProto) {
			w.Floor, w.Price = row.floor, row.price
			w.Model.Bias = []float64{math.Log(0.5), math.Log(0.3), math.Log(0.2)}
			w.Model.Costs, w.Model.Step, w.Model.Kept = []float64{9, 10, 1}, 0, w.Model.Predicted
		}))
		if c := f.Choose("low", "query-0", knownTerms, shards); !slices.Equal(c.Asked, row.asked) {
			t.Errorf("%+v: %+v", row, c)
		}
	}
}

func TestExtremeNumbersStillChoose(t *testing.T) {
	type publication = wire.FanOutPublicationProto
	now, _ := leaseOf(t, goldenPublication(t, 0))
	for i, change := range []func(*publication){
		func(w *publication) { w.Model.Costs, w.Price = []float64{0x1p-1022, 1e15, 1}, 0.2 },
		func(w *publication) { w.Model.Bias, w.Price = []float64{1e6, -1e6, 0}, 1e6 },
		func(w *publication) { w.Model.Step = 1e6 },
	} {
		f := fanOutWith(t, &now, goldenPublication(t, 0, change))
		for _, features := range [][]uint64{{0, 7}, {3, 7}, {math.MaxUint64}} {
			c := f.Choose("low", "query-0", features, shards)
			if len(c.Asked) == 0 || !isFraction(c.ExpectedLoss()) {
				t.Errorf("%d, %v: %+v", i, features, c)
			}
		}
	}
}

func TestExploredQueriesAreSampledOfWhateverClass(t *testing.T) {
	now, ends := leaseOf(t, goldenPublication(t, 0))
	f := fanOutWith(t, &now, goldenPublication(t, 0), goldenPublication(t, 3, func(w *wire.FanOutPublicationProto) {
		w.QueryClass, w.Exploration = "high", 0.3
	}))
	e := &Emitter{config: Config{}, rates: NewSamplingRates(0.01), fanOut: f}
	explored := 0
	for i := range 2_000 {
		id := "query-" + strconv.Itoa(i)
		inAny := IsExplored(id, 0.3)
		if e.IsSampled(id, now) != (IsSampled(id, 0.01) || inAny) || e.IsSampled(id, ends) != IsSampled(id, 0.01) {
			t.Fatal(id)
		}
		clean := &Answer{QueryID: id, StartedAtMillis: now, Invocations: []Invocation{{"shard-0", InTime, 1}}}
		if e.WantsPartials(clean) != inAny {
			t.Fatal(id)
		}
		clean.Invocations[0].Outcome = OutcomeNotAsked
		if e.WantsPartials(clean) {
			t.Fatal("results of an answer without components")
		}
		for _, class := range []string{"low", "high"} {
			if f.Choose(class, id, knownTerms, shards).Explored() {
				explored++
				if !e.IsSampled(id, now) {
					t.Fatal(id)
				}
			}
		}
	}
	if explored < 700 || explored > 900 {
		t.Fatal(explored)
	}
}

func TestAConnectionFollowsTheTopicAndSamplesWhatItExplores(t *testing.T) {
	c := away(t, 100)
	defer func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		c.Close(ctx)
	}()
	c.rates.initial = 0
	if c.Emitter.IsSampled("query-0", NowMillis()) {
		t.Fatal("sampled at rate 0")
	}
	asksAll(t, c.FanOut.Choose("low", "query-0", knownTerms, shards), FanOutNotPublished, shards)
	c.take("fan-out", "shop", goldenPublication(t, 0, func(w *wire.FanOutPublicationProto) {
		w.Service, w.Exploration, w.ValidUntilMillis = "shop", 1, NowMillis()+hourMillis
		w.LearnedAtMillis = 1
	}))
	choice := c.FanOut.Choose("low", "query-0", knownTerms, shards)
	asksAll(t, choice, FanOutExplored, shards)
	if !choice.Explored() || !c.Emitter.IsSampled("query-0", NowMillis()) {
		t.Fatal("an explored query is not sampled")
	}
	c.take("fan-out", "shop", []byte{0xff})
	if c.FanOut.UnreadablePublications() != 1 || len(c.Admission.Refusals()) != 0 {
		t.Fatal("counted elsewhere")
	}
}

func TestChoicesHoldWhilePublicationsChange(t *testing.T) {
	now, _ := leaseOf(t, goldenPublication(t, 0))
	on, off := goldenPublication(t, 0), goldenPublication(t, 4)
	f := fanOutWith(t, &now, on)
	var running sync.WaitGroup
	running.Go(func() {
		for range 500 {
			_, _ = f.offerRecord(off), f.offerRecord(on)
		}
	})
	for range 500 {
		if r := f.Choose("low", "query-0", knownTerms, shards).Reason; r != FanOutChosen && r != FanOutOff {
			t.Fatal(r)
		}
	}
	running.Wait()
}

func TestFeaturesAreHashedAsInJavaAndAnAnswerHasAtMost64(t *testing.T) {
	want := []uint64{0xCBF29CE484222325, 0xAF63DC4C8601EC8C, 0x85944171F73967E8}
	if got := FeaturesOf("", "a", "foobar"); !slices.Equal(got, want) {
		t.Fatalf("%x", got)
	}
	if len(FeaturesOf(make([]string, 100)...)) != 64 {
		t.Fatal("more than 64 features")
	}
	answer := Answer{Features: make([]uint64, 100)}
	if w := answer.toWire("search"); len(w.Features) != 64 {
		t.Fatal(len(w.Features))
	}
}

// A choice among 8 components by 8 features of a table of 64 KB.
func BenchmarkChoose(b *testing.B) {
	const n, rowBits = 8, 13
	w := &wire.FanOutPublicationProto{
		Service: "search", QueryClass: "low", Version: 1, LearnedAtMillis: 1, ValidUntilMillis: latestMillis,
		State: wire.FanOutStateProto_FAN_OUT_ON, Floor: 0.9,
		Model: &wire.ContributionTableProto{RowBits: rowBits, Step: 0.01, Table: make([]byte, n<<rowBits)},
	}
	var features []uint64
	for i := range n {
		w.Model.Components = append(w.Model.Components, "shard-"+strconv.Itoa(i))
		w.Model.Costs = append(w.Model.Costs, 1)
		w.Model.Bias = append(w.Model.Bias, float64(i))
		features = append(features, uint64(i))
	}
	for range tenths {
		w.Model.Tested = append(w.Model.Tested, 100)
		w.Model.Predicted = append(w.Model.Predicted, 50)
		w.Model.Kept = append(w.Model.Kept, 50)
	}
	record, err := proto.Marshal(w)
	f := newFanOut("search", []Class{{"low", All}}, NowMillis)
	if err == nil {
		err = f.offerRecord(record)
	}
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if c := f.Choose("low", "query-0", features, w.Model.Components); c.Reason != FanOutChosen {
			b.Fatal(c.Reason)
		}
	}
}
