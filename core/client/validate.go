package client

import (
	"slices"

	"groupscope/core/kafka"
)

// placed is where a position came from: what is needed to find out whether it is still part of the log after a change of leader (KIP-320;
// SubscriptionState.FetchPosition).
type placed struct {
	epoch kafka.Epoch // of the record before the position; NoEpoch if none was read
	under kafka.Epoch // the leader epoch under which the position was good
}

// unvalidated reports whether a position must be validated before anything more is fetched or returned: there is another leader
// epoch, and a record was read before.
func (t *turn) unvalidated(p *partition) bool {
	return p.position != kafka.NoOffset && p.placed.epoch != kafka.NoEpoch && t.does(kafka.TruncationDetection) &&
		p.placed.under != t.leaderEpoch(p.TopicPartition)
}

// validate asks the leaders where the epochs of the positions end that are not validated. Brokers before 2.3 do not tell a consumer
// (OffsetsForLeaderEpochClient), so there a position is taken for good. It returns the exception that an earlier answer calls for.
func (t *turn) validate() (exception string) {
	if t.truncated {
		t.truncated = false
		return logTruncationException
	}
	var leaders []kafka.NodeID
	asked := map[kafka.NodeID][]kafka.PartitionEpoch{}
	for i := range t.subs {
		p := &t.subs[i]
		if !t.unvalidated(p) {
			continue
		}
		leader := t.reachableLeader(p.TopicPartition)
		switch {
		case leader == "" || t.network.inFlightTo(leader, kafka.OffsetForLeaderEpochAPI):
			continue
		case t.version(kafka.OffsetForLeaderEpochAPI, leader) < 3:
			p.placed.under = t.leaderEpoch(p.TopicPartition)
			continue
		case asked[leader] == nil:
			leaders = append(leaders, leader)
		}
		asked[leader] = append(asked[leader], kafka.PartitionEpoch{
			TopicPartition: p.TopicPartition, LeaderEpoch: t.leaderEpoch(p.TopicPartition), Epoch: p.placed.epoch,
		})
	}
	for _, leader := range leaders {
		t.send(leader, &kafka.OffsetForLeaderEpochRequest{Partitions: asked[leader]}, "")
	}
	return ""
}

// epochsEnded takes up where epochs end: a position behind that is no longer part of the log (SubscriptionState.maybeCompleteValidation).
func (t *turn) epochsEnded(req request, reply *kafka.OffsetForLeaderEpochResponse) {
	asked := req.body.(*kafka.OffsetForLeaderEpochRequest).Partitions
	for _, end := range reply.Partitions {
		p := t.sub(end.TopicPartition)
		i := slices.IndexFunc(asked, func(a kafka.PartitionEpoch) bool { return a.TopicPartition == end.TopicPartition })
		if p == nil || i < 0 || !t.unvalidated(p) || p.placed.epoch != asked[i].Epoch {
			continue
		}
		switch {
		case end.Error != kafka.None:
			t.network.wantMetadata = true
			t.network.backOff(req.to, t.now+t.settings.retry.base)
		case end.Offset >= p.position:
			p.placed.under = asked[i].LeaderEpoch
		case t.settings.reset == fromNothing:
			t.truncated = true
		case end.Offset == kafka.NoOffset:
			p.position, p.origin = kafka.NoOffset, t.settings.reset
		default:
			t.setPosition(p, end.Offset, "truncation")
			p.placed = placed{end.Epoch, asked[i].LeaderEpoch}
		}
	}
}
