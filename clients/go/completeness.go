package kipimo

import (
	"math/big"
	"strconv"
	"sync/atomic"

	"google.golang.org/protobuf/proto"

	"github.com/kipimo/kipimo/clients/go/wire"
)

// CompletenessHeader is the response header with the prediction.
const CompletenessHeader = "kipimo-completeness"

const longestModelAgeMillis = 24 * hourMillis

type model struct {
	asOfMillis int64
	usualLoss  float64
	losses     map[string]float64
}

// Completeness predicts the quality of an answer from its missing components. Reads take no lock.
type Completeness struct {
	service string
	wall    func() int64
	models  map[string]*atomic.Pointer[model]
}

func newCompleteness(service string, classes []Class, wall func() int64) *Completeness {
	c := &Completeness{service: service, wall: wall, models: map[string]*atomic.Pointer[model]{}}
	for _, class := range classes {
		c.models[class.Name] = &atomic.Pointer[model]{}
	}
	return c
}

// Predict is the expected quality, 0..1. It is unknown if a component is missing and no model of the class is a day old
// or less.
//
// It is unknown, too, if a component was not asked; see PredictInPart.
func (c *Completeness) Predict(queryClass string, invocations []Invocation) (quality float64, known bool) {
	return c.PredictInPart(queryClass, invocations, nil)
}

// PredictInPart is the same for an answer that may not have asked some components; the loss is as in Answer.
func (c *Completeness) PredictInPart(
	queryClass string, invocations []Invocation, notAskedLoss *float64,
) (quality float64, known bool) {
	lost := 0.0
	for _, i := range invocations {
		if i.Outcome == OutcomeNotAsked {
			if notAskedLoss == nil {
				return 0, false
			}
			lost = *notAskedLoss
		}
	}
	quality, known = c.predictLate(queryClass, invocations)
	return max(0, quality-lost), known
}

func (c *Completeness) predictLate(queryClass string, invocations []Invocation) (quality float64, known bool) {
	quality = 1
	var m *model
	for _, i := range invocations {
		if !isLate(i.Outcome) {
			continue
		}
		if m == nil {
			slot := c.models[queryClass]
			if slot == nil {
				return 0, false
			}
			if m = slot.Load(); m == nil || c.wall()-m.asOfMillis > longestModelAgeMillis {
				return 0, false
			}
		}
		loss, ok := m.losses[i.Component]
		if !ok {
			loss = m.usualLoss
		}
		quality -= loss
	}
	return max(0, min(1, quality)), true
}

// FormatPrediction has two decimals, cut rather than rounded, so only a complete answer has 1.00.
func FormatPrediction(prediction float64) string {
	// The shortest decimal that is this number, as in the other clients, then cut.
	exact, ok := new(big.Rat).SetString(strconv.FormatFloat(prediction, 'g', -1, 64))
	if !ok || exact.Sign() < 0 {
		return "0.00"
	}
	cents := new(big.Int).Quo(new(big.Int).Mul(exact.Num(), big.NewInt(100)), exact.Denom()).Int64()
	return strconv.FormatInt(cents/100, 10) + "." + string(rune('0'+cents/10%10)) + string(rune('0'+cents%10))
}

func (c *Completeness) offer(w *wire.CompletenessModelProto) {
	slot := c.models[w.QueryClass]
	if w.Service != c.service || slot == nil {
		return
	}
	if before := slot.Load(); before != nil && before.asOfMillis > w.AsOfMillis {
		return
	}
	m := &model{w.AsOfMillis, w.UsualLoss, map[string]float64{}}
	for _, loss := range w.Losses {
		m.losses[loss.Component] = loss.Loss
	}
	slot.Store(m)
}

func (c *Completeness) offerRecord(record []byte) error {
	w := &wire.CompletenessModelProto{}
	if err := proto.Unmarshal(record, w); err != nil {
		return err
	}
	if !isFraction(w.UsualLoss) {
		return errUnreadable
	}
	for _, loss := range w.Losses {
		if !isFraction(loss.Loss) {
			return errUnreadable
		}
	}
	c.offer(w)
	return nil
}
