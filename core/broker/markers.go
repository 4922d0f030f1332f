package broker

import (
	"maps"
	"slices"

	"groupscope/core/kafka"
	"groupscope/core/view"
)

// markerSize is the size in bytes of a control record with its batch.
const markerSize = 78

// sendMarkers has the leaders of a decided transaction's partitions write its end into them. It is repeated until all have done so.
//
// Source: TransactionMarkerChannelManager.
func (t *turn) sendMarkers(x *transaction) {
	byLeader := map[kafka.NodeID][]kafka.TopicPartition{}
	for _, tp := range x.unmarked {
		info, _ := t.cluster.Partition(tp)
		byLeader[info.Leader] = append(byLeader[info.Leader], tp)
	}
	if len(x.unmarked) == 0 {
		t.completeTxn(x)
		return
	}
	t.setTimer(groupKey(markersTimer, x.id), timer{kind: markersTimer, member: x.id}, fetchBackoff)
	for _, leader := range slices.Sorted(maps.Keys(byLeader)) {
		request := &kafka.WriteTxnMarkersRequest{
			TransactionalID: x.id, ProducerID: x.producerID, Epoch: x.epoch, Marker: kafka.AbortMarker, Partitions: byLeader[leader],
		}
		if x.state == txnPrepareCommit {
			request.Marker = kafka.CommitMarker
		}
		switch leader {
		case "":
		case t.id:
			t.writeTxnMarkers(caller{}, request)
		default:
			t.sendOwn(leader, request)
		}
	}
}

// sendMarkersAgain is sendMarkers, when there was no answer.
func (t *turn) sendMarkersAgain(id string) {
	if x := t.txns[id]; x != nil && x.prepared() {
		t.sendMarkers(x)
	}
}

// parkedMarkers are markers that wait for the in-sync replicas. It never changes.
type parkedMarkers struct {
	from    caller // nobody: this broker is the coordinator itself
	request *kafka.WriteTxnMarkersRequest
}

// writeTxnMarkers writes the end of a transaction into partitions that this broker leads. A marker is a record, and takes an offset.
func (t *turn) writeTxnMarkers(from caller, r *kafka.WriteTxnMarkersRequest) {
	p := parkedAppend{markers: &parkedMarkers{from, r}}
	var changed []kafka.TopicPartition
	stamp := &kafka.Stamp{ProducerID: r.ProducerID, Epoch: r.Epoch, Transactional: true, Marker: r.Marker}
	for _, tp := range r.Partitions {
		part := appendPart{TopicPartition: tp, base: kafka.NoOffset, err: t.leaderError(tp)}
		if part.err == kafka.None {
			log := t.logs[tp]
			part.base = log.append(t.now, kafka.Record{
				Timestamp: t.now, NullKey: true, Value: r.Marker.String(), Size: markerSize, Stamp: stamp,
			})
			part.end, part.epoch = log.end(), log.leaderEpoch
			t.fact(view.Fact{Kind: view.Appended, Partition: tp, From: part.base, To: part.end, Text: r.Marker.String()})
			changed = append(changed, tp)
		}
		p.waits = append(p.waits, part)
	}
	t.appendedFor(p, changed, t.storeLimit())
}

// finishMarkers answers the coordinator; offsets that were committed in the transaction count now, or are dropped.
func (t *turn) finishMarkers(p *parkedMarkers, result []kafka.ErrorCode) {
	response := &kafka.WriteTxnMarkersResponse{TransactionalID: p.request.TransactionalID, Epoch: p.request.Epoch}
	for i, tp := range p.request.Partitions {
		response.Partitions = append(response.Partitions, kafka.PartitionError{TopicPartition: tp, Error: result[i]})
		if tp.Topic == kafka.OffsetsTopic && t.leads(tp) {
			t.decideOffsets(tp, p.request.ProducerID, p.request.Marker)
		}
	}
	if p.from.waits() {
		t.reply(p.from, response)
		return
	}
	t.markersWritten(response)
}

// markersWritten takes up that markers are written. When all are, the transaction is complete.
func (t *turn) markersWritten(r *kafka.WriteTxnMarkersResponse) {
	x := t.txns[r.TransactionalID]
	if x == nil || !x.prepared() || x.epoch != r.Epoch {
		return
	}
	for _, p := range r.Partitions {
		if p.Error == kafka.None {
			x.unmarked = slices.DeleteFunc(slices.Clone(x.unmarked), func(tp kafka.TopicPartition) bool { return tp == p.TopicPartition })
		}
	}
	if len(x.unmarked) == 0 {
		t.completeTxn(x)
	}
}

func (t *turn) completeTxn(x *transaction) {
	t.stopTimer(groupKey(markersTimer, x.id))
	x.state, x.partitions, x.unmarked = x.state.complete(), nil, nil
	t.storeTxn(x, caller{}, nil, nil)
}
