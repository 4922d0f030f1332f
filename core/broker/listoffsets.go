package broker

import "groupscope/core/kafka"

// listOffsets finds offsets by time: the latest, the earliest, or the first record that is not older than a timestamp.
func (t *turn) listOffsets(r *kafka.ListOffsetsRequest) *kafka.ListOffsetsResponse {
	response := &kafka.ListOffsetsResponse{}
	for _, p := range r.Partitions {
		listed := kafka.ListedOffset{TopicPartition: p.TopicPartition, Offset: kafka.NoOffset}
		if listed.Error = t.leaderError(p.TopicPartition); listed.Error == kafka.None {
			listed.Offset = t.logs[p.TopicPartition].find(p, r.ReadCommitted)
		}
		response.Partitions = append(response.Partitions, listed)
	}
	return response
}

func (l *partitionLog) find(p kafka.ListOffset, readCommitted bool) int64 {
	bound := l.readableEnd(readCommitted)
	switch p.Timestamp {
	case kafka.LatestTimestamp:
		return bound
	case kafka.EarliestTimestamp:
		return l.start
	}
	return l.since(p.Timestamp, bound)
}
