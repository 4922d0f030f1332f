package broker

import "groupscope/core/kafka"

// listOffsets finds offsets by time: the latest, the earliest, or the first record that is not older than a timestamp.
func (t *turn) listOffsets(r *kafka.ListOffsetsRequest) *kafka.ListOffsetsResponse {
	response := &kafka.ListOffsetsResponse{}
	for _, p := range r.Partitions {
		listed := kafka.ListedOffset{TopicPartition: p.TopicPartition, Offset: kafka.NoOffset}
		if listed.Error = t.leaderError(p.TopicPartition); listed.Error == kafka.None {
			listed.Error = t.latestError(p)
		}
		if listed.Error == kafka.None {
			listed.Offset = t.logs[p.TopicPartition].find(p, r.ReadCommitted)
		}
		response.Partitions = append(response.Partitions, listed)
	}
	return response
}

// latestError tells that a new leader does not know the latest offset yet: its high watermark has not reached the beginning of its
// term, so that readers could be told less than its predecessor told them (replication.md section 6).
func (t *turn) latestError(p kafka.ListOffset) kafka.ErrorCode {
	log := t.logs[p.TopicPartition]
	switch {
	case p.Timestamp == kafka.EarliestTimestamp || log.highWatermark >= log.termStart():
		return kafka.None
	case t.has(kafka.OffsetNotAvailableCode):
		return kafka.OffsetNotAvailable
	}
	return kafka.LeaderNotAvailable
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
