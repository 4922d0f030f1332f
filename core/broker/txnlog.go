package broker

import (
	"slices"

	"groupscope/core/kafka"
)

// transactions is what a log knows of transactions (ProducerStateManager, TransactionIndex). It follows from the records.
type transactions struct {
	open  []openTxn  // by first offset
	ended []endedTxn // in the order of their markers
}

// openTxn is a transaction that has records here and no marker yet.
type openTxn struct {
	producerID int64
	first      int64
}

// endedTxn is a transaction with its marker.
type endedTxn struct {
	openTxn
	marker  int64
	aborted bool
}

func (x *transactions) clone() transactions {
	return transactions{open: slices.Clone(x.open), ended: slices.Clone(x.ended)}
}

// note takes up a record that is appended.
func (x *transactions) note(r *kafka.Record) {
	if r.Stamp == nil || !r.Stamp.Transactional {
		return
	}
	i := slices.IndexFunc(x.open, func(o openTxn) bool { return o.producerID == r.Stamp.ProducerID })
	switch {
	case r.Stamp.Marker == kafka.NoMarker && i < 0:
		x.open = append(x.open, openTxn{r.Stamp.ProducerID, r.Offset})
	case r.Stamp.Marker != kafka.NoMarker && i >= 0:
		x.ended = append(x.ended, endedTxn{x.open[i], r.Offset, r.Stamp.Marker == kafka.AbortMarker})
		x.open = slices.Delete(x.open, i, i+1)
	}
}

// firstUnstable is the first offset of the oldest transaction that is open, or whose marker is not below the bound yet.
func (x *transactions) firstUnstable(bound int64) int64 {
	first := bound
	if len(x.open) > 0 {
		first = min(first, x.open[0].first)
	}
	for i := len(x.ended) - 1; i >= 0 && x.ended[i].marker >= bound; i-- {
		first = min(first, x.ended[i].first)
	}
	return first
}

// abortedIn lists the aborted transactions that have records from an offset on and below another.
func (x *transactions) abortedIn(from, to int64) []kafka.AbortedTransaction {
	var list []kafka.AbortedTransaction
	for _, e := range x.ended {
		if e.aborted && e.marker >= from && e.first < to {
			list = append(list, kafka.AbortedTransaction{ProducerID: e.producerID, FirstOffset: e.first})
		}
	}
	return list
}
