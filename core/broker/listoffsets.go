package broker

import "groupscope/core/kafka"

// listOffsets finds offsets by time: the latest, the earliest, or the first record that is not older than a timestamp.
func (t *turn) listOffsets(r *kafka.ListOffsetsRequest) *kafka.ListOffsetsResponse {
	response := &kafka.ListOffsetsResponse{}
	for _, p := range r.Partitions {
		listed := kafka.ListedOffset{TopicPartition: p.TopicPartition, Offset: kafka.NoOffset}
		if listed.Error = t.leaderError(p.TopicPartition); listed.Error == kafka.None {
			listed.Offset, listed.Error = t.find(p, r.ReadCommitted)
		}
		response.Partitions = append(response.Partitions, listed)
	}
	return response
}

// find finds an offset; kafka.NoOffset if no record is that young.
func (t *turn) find(p kafka.ListOffset, readCommitted bool) (int64, kafka.ErrorCode) {
	log := t.logs[p.TopicPartition]
	bound, offset := log.readableEnd(readCommitted), kafka.NoOffset
	switch p.Timestamp {
	case kafka.EarliestTimestamp:
		return log.start, kafka.None
	case kafka.LatestTimestamp:
		offset = bound
	default:
		if found := log.since(p.Timestamp, bound); found != kafka.NoOffset {
			return found, kafka.None
		}
	}
	if err := t.latestError(log); err != kafka.None {
		return kafka.NoOffset, err
	}
	return offset, kafka.None
}

// latestError tells that a new leader does not know the latest offset yet: its high watermark has not reached the beginning of its
// term, so that readers could be told less than its predecessor told them (replication.md section 6).
func (t *turn) latestError(log *partitionLog) kafka.ErrorCode {
	switch {
	case log.highWatermark >= log.termStart():
		return kafka.None
	case t.has(kafka.OffsetNotAvailableCode):
		return kafka.OffsetNotAvailable
	}
	return kafka.LeaderNotAvailable
}
