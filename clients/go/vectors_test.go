package kipimo

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/kipimo/kipimo/clients/go/wire"
)

func load[T any](t *testing.T, name string) (file T) {
	t.Helper()
	text, err := os.ReadFile("../vectors/" + name)
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func parse(t *testing.T, fields []byte, m proto.Message) {
	t.Helper()
	if err := protojson.Unmarshal(fields, m); err != nil {
		t.Fatal(err)
	}
}

func decisionFrom(t *testing.T, fields []byte) Decision {
	t.Helper()
	w := &wire.DecisionProto{}
	parse(t, fields, w)
	d, err := decisionOf(w)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestSampling(t *testing.T) {
	file := load[struct {
		Thresholds []struct {
			Rate      float64
			Threshold string
		}
		Vectors []struct {
			ID, Randomness string
			SampledAtRates []float64
		}
	}](t, "sampling.json")
	for _, row := range file.Thresholds {
		if got, err := Threshold(row.Rate); err != nil || fmt.Sprintf("%016x", got) != row.Threshold {
			t.Errorf("%v: %x, want %s", row.Rate, got, row.Threshold)
		}
	}
	for _, row := range file.Vectors {
		if got := fmt.Sprintf("%016x", Randomness(row.ID)); got != row.Randomness {
			t.Errorf("%s: %s, want %s", row.ID, got, row.Randomness)
		}
		for _, rate := range file.Thresholds {
			if IsSampled(row.ID, rate.Rate) != slices.Contains(row.SampledAtRates, rate.Rate) {
				t.Errorf("%s at %v", row.ID, rate.Rate)
			}
		}
	}
	if _, err := Threshold(1.1); err == nil {
		t.Error("1.1 is no rate")
	}
}

func TestExploration(t *testing.T) {
	file := load[struct {
		Shares  []float64
		Vectors []struct {
			ID, Randomness   string
			ExploredAtShares []float64
		}
	}](t, "exploration.json")
	for _, row := range file.Vectors {
		if got := fmt.Sprintf("%016x", ExplorationRandomness(row.ID)); got != row.Randomness {
			t.Errorf("%s: %s, want %s", row.ID, got, row.Randomness)
		}
		for _, share := range file.Shares {
			if IsExplored(row.ID, share) != slices.Contains(row.ExploredAtShares, share) {
				t.Errorf("%s at %v", row.ID, share)
			}
		}
	}
}

func TestFanOut(t *testing.T) {
	file := load[struct {
		Cases []struct {
			Publication string
			Choices     []struct {
				ID, Reason                            string
				Features, Components, Asked, Proposed []string
				NowMillis                             int64
				ExpectedQuality                       float64
			}
		}
	}](t, "fan-out.json")
	choices := 0
	for number, c := range file.Cases {
		record, err := hex.DecodeString(c.Publication)
		if err != nil {
			t.Fatal(err)
		}
		now := int64(0)
		f := newFanOut("search", []Class{{"low", All}}, func() int64 { return now })
		if err := f.offerRecord(record); err != nil {
			t.Fatal(number, err)
		}
		if again, _ := proto.Marshal(f.Publication("low")); hex.EncodeToString(again) != c.Publication {
			t.Errorf("publication %d is written differently", number)
		}
		for _, row := range c.Choices {
			now = row.NowMillis
			var features []uint64
			for _, text := range row.Features {
				feature, err := strconv.ParseInt(text, 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				features = append(features, uint64(feature))
			}
			choice := f.Choose("low", row.ID, features, row.Components)
			told := choice
			if choice.Proposed != nil {
				told = *choice.Proposed
			}
			if choice.Reason.String() != row.Reason || !slices.Equal(choice.Asked, row.Asked) ||
				!slices.Equal(told.Asked, row.Proposed) ||
				math.Abs(told.ExpectedQuality-row.ExpectedQuality) > 1e-9 {
				t.Errorf("case %d, %+v: %+v", number, row, choice)
			}
			choices++
		}
	}
	if choices != 5*21 {
		t.Error(choices, "choices")
	}
}

func TestAdmission(t *testing.T) {
	file := load[struct {
		Fractions []float64
		Vectors   []struct {
			ID                  string
			EpochMillis         int64
			AdmittedAtFractions []float64
		}
	}](t, "admission.json")
	for _, row := range file.Vectors {
		for _, fraction := range file.Fractions {
			if Admits(row.ID, fraction, row.EpochMillis) != slices.Contains(row.AdmittedAtFractions, fraction) {
				t.Errorf("%s at %d, %v", row.ID, row.EpochMillis, fraction)
			}
		}
	}
}

func randomIDs(seed uint64, count int) []string {
	state := seed
	draw := func() string {
		state += 0x9E3779B97F4A7C15
		z := state
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		return fmt.Sprintf("%016x", z^z>>31)
	}
	ids := make([]string, count)
	for i := range ids {
		high, low := draw(), draw()
		switch i % 4 {
		case 0:
			ids[i] = high + low
		case 1:
			ids[i] = high[:8] + "-" + low
		case 2:
			n, _ := strconv.ParseUint(low, 16, 64)
			ids[i] = fmt.Sprintf("query-%d", n%1_000_000_007)
		default:
			ids[i] = "größe/" + high + low
		}
	}
	return ids
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

func TestRandomIDsAreDecidedAsJavaDoes(t *testing.T) {
	type row struct {
		Rate, Fraction, Share float64
		Count                 int
		SHA256                string
	}
	file := load[struct {
		Seed                 uint64
		IDs                  int
		IDsSHA256            string
		AdmissionEpochMillis int64
		Sampling, Admission  []row
		Exploration          []row
		FanOut               struct {
			Publication, SHA256 string
			Components          []string
			NowMillis           int64
		}
	}](t, "random-ids.json")
	ids := randomIDs(file.Seed, file.IDs)
	if digest(strings.Join(ids, "\n")+"\n") != file.IDsSHA256 {
		t.Fatal("other ids")
	}
	check := func(row row, rule func(string) bool) {
		decisions := make([]byte, len(ids))
		for i, id := range ids {
			decisions[i] = '0'
			if rule(id) {
				decisions[i] = '1'
			}
		}
		if digest(string(decisions)) != row.SHA256 {
			t.Errorf("%+v", row)
		}
	}
	for _, row := range file.Sampling {
		check(row, func(id string) bool { return IsSampled(id, row.Rate) })
	}
	for _, row := range file.Admission {
		check(row, func(id string) bool { return Admits(id, row.Fraction, file.AdmissionEpochMillis) })
	}
	for _, row := range file.Exploration {
		check(row, func(id string) bool { return IsExplored(id, row.Share) })
	}
	f := newFanOut("search", []Class{{"low", All}}, func() int64 { return file.FanOut.NowMillis })
	record, err := hex.DecodeString(file.FanOut.Publication)
	if err == nil {
		err = f.offerRecord(record)
	}
	if err != nil {
		t.Fatal(err)
	}
	var choices strings.Builder
	for i, id := range ids {
		var features []uint64
		if i%10 != 9 {
			features = []uint64{uint64(i % 4), 7}
		}
		choice := f.Choose("low", id, features, file.FanOut.Components)
		fmt.Fprintf(&choices, "%s %s\n", choice.Reason, strings.Join(choice.Asked, ","))
	}
	if digest(choices.String()) != file.FanOut.SHA256 {
		t.Error("other components are asked")
	}
}

func TestLeases(t *testing.T) {
	file := load[struct {
		Cases []struct {
			Name, Service, Class         string
			SafeFraction, Floor, Ceiling float64
			Steps                        []struct {
				WallMillis, MonotonicMillis int64
				Offer                       json.RawMessage
				Refusal                     string
				Fraction                    float64
			}
		}
	}](t, "leases.json")
	for _, c := range file.Cases {
		wall, monotonic := c.Steps[0].WallMillis, c.Steps[0].MonotonicMillis
		a := newAdmission(c.Service, []Class{{c.Class, ClassDefaults{c.SafeFraction, c.Floor, c.Ceiling}}},
			func() int64 { return wall }, func() int64 { return monotonic })
		for i, step := range c.Steps {
			wall, monotonic = step.WallMillis, step.MonotonicMillis
			if step.Offer != nil {
				before := a.Refusals()
				a.offer(decisionFrom(t, step.Offer))
				refusal := ""
				for reason, count := range a.Refusals() {
					if count != before[reason] {
						refusal = reason
					}
				}
				if refusal != step.Refusal {
					t.Errorf("%s, step %d: %q, want %q", c.Name, i, refusal, step.Refusal)
				}
			}
			if got := a.Fraction(c.Class); got != step.Fraction {
				t.Errorf("%s, step %d: %v, want %v", c.Name, i, got, step.Fraction)
			}
		}
	}
}

func TestSamplingRates(t *testing.T) {
	file := load[struct {
		InitialRate float64
		Decisions   []json.RawMessage
		At          []struct {
			StartedAtMillis int64
			Rate            float64
			Scarce          bool
		}
	}](t, "sampling-rates.json")
	rates := NewSamplingRates(file.InitialRate)
	for _, fields := range file.Decisions {
		rates.Accept(decisionFrom(t, fields))
	}
	for _, row := range file.At {
		if got := rates.RateAt(row.StartedAtMillis); got != row.Rate {
			t.Errorf("%+v: %v", row, got)
		}
		if rates.IsScarceAt(row.StartedAtMillis) != row.Scarce {
			t.Errorf("%+v", row)
		}
	}
}

func TestCompleteness(t *testing.T) {
	file := load[struct {
		Model   json.RawMessage
		Vectors []struct {
			Learned, Known bool
			NowMillis      int64
			Missing        []string
			Predicted      float64
			Header         string
		}
	}](t, "completeness.json")
	now := int64(0)
	c := newCompleteness("shop", []Class{{"high", All}}, func() int64 { return now })
	learned := false
	for _, row := range file.Vectors {
		if row.Learned && !learned {
			m := &wire.CompletenessModelProto{}
			parse(t, file.Model, m)
			c.offer(m)
			learned = true
		}
		now = row.NowMillis
		invocations := []Invocation{{"there", InTime, 1_000}}
		for _, name := range row.Missing {
			invocations = append(invocations, Invocation{name, TimedOut, 2_000})
		}
		got, known := c.Predict("high", invocations)
		if known != row.Known || known && (got != row.Predicted || FormatPrediction(got) != row.Header) {
			t.Errorf("%+v: %v %v", row, got, known)
		}
	}
}

func TestItems(t *testing.T) {
	file := load[struct {
		Vectors []struct {
			Sent, Kept int
			Truncated  bool
		}
	}](t, "items.json")
	for _, row := range file.Vectors {
		items := Items{Numbers: make([]uint64, row.Sent), Scores: make([]float32, row.Sent)}
		w, truncated := items.toWire()
		if len(w.Numbers) != row.Kept || len(w.Scores) != row.Kept || truncated != row.Truncated {
			t.Errorf("%+v", row)
		}
	}
}

func TestMessages(t *testing.T) {
	file := load[struct {
		Vectors []struct {
			Message, Key, Hex string
			Fields            json.RawMessage
		}
	}](t, "messages.json")
	types := map[string]func() proto.Message{
		"kipimo.v1.AnswerProto":        func() proto.Message { return &wire.AnswerProto{} },
		"kipimo.v1.PartialResultProto": func() proto.Message { return &wire.PartialResultProto{} },
		"kipimo.v1.ObservationProto":   func() proto.Message { return &wire.ObservationProto{} },
		"kipimo.v1.DecisionProto":      func() proto.Message { return &wire.DecisionProto{} },
	}
	for _, row := range file.Vectors {
		want, read := types[row.Message](), types[row.Message]()
		parse(t, row.Fields, want)
		bytes, err := hex.DecodeString(row.Hex)
		if err == nil {
			err = proto.Unmarshal(bytes, read)
		}
		if err != nil || !proto.Equal(read, want) {
			t.Errorf("%s: %v", row.Message, err)
		}
		if again, _ := proto.Marshal(read); hex.EncodeToString(again) != row.Hex {
			t.Errorf("%s is written differently", row.Message)
		}
	}
}
