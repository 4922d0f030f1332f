package broker

import (
	"slices"
	"strings"

	"groupscope/core/kafka"
)

// followerFetchVersion is the version of Fetch since which consumers may read from followers (KIP-392).
const followerFetchVersion = 11

// rackAwareSelector is the one replica selector that Kafka comes with.
const rackAwareSelector = "RackAwareReplicaSelector"

// readError tells why a consumer cannot read a partition here. Since KIP-392 a follower serves it too, up to its own high watermark.
func (t *turn) readError(r *kafka.FetchRequest, p kafka.FetchPartition) kafka.ErrorCode {
	info, _ := t.cluster.Partition(p.TopicPartition)
	follows := t.logs[p.TopicPartition] != nil && info.Leader != t.id && slices.Contains(info.Replicas, t.id)
	if follows && r.Version >= followerFetchVersion && t.has(kafka.FollowerFetching) {
		return t.epochError(p)
	}
	return t.fetchError(p)
}

// nearest is the replica that a consumer is to fetch from instead of this leader: one of its own rack that is in sync and has what it asks
// for, the one that is furthest. "" if that is this broker, or if there is none, or if the broker does not look for one.
//
// Source: RackAwareReplicaSelector, ReplicaManager.findPreferredReadReplica.
func (t *turn) nearest(r *kafka.FetchRequest, p kafka.FetchPartition) kafka.NodeID {
	if r.Rack == "" || r.Version < followerFetchVersion || !t.has(kafka.FollowerFetching) || !t.leads(p.TopicPartition) ||
		!strings.HasSuffix(t.config.String("replica.selector.class"), rackAwareSelector) || t.rack == r.Rack {
		return ""
	}
	info, _ := t.cluster.Partition(p.TopicPartition)
	log := t.logs[p.TopicPartition]
	best, end := kafka.NodeID(""), kafka.NoOffset
	for i := range log.followers {
		f := &log.followers[i]
		b, live := t.cluster.Broker(f.id)
		if live && b.Rack == r.Rack && slices.Contains(info.ISR, f.id) && f.end >= p.Offset && f.end > end {
			best, end = f.id, f.end
		}
	}
	return best
}
