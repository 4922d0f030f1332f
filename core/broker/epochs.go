package broker

import (
	"slices"

	"groupscope/core/kafka"
)

// epochStart is where a leader epoch begins in a log (LeaderEpochFileCache).
type epochStart struct {
	epoch kafka.Epoch
	start int64
}

// lastEpoch is the last epoch that began in this log; NoEpoch if none did.
func (l *partitionLog) lastEpoch() kafka.Epoch {
	if len(l.epochs) == 0 {
		return kafka.NoEpoch
	}
	return l.epochs[len(l.epochs)-1].epoch
}

// noteEpoch notes that an epoch begins at an offset: a leader's with its term, a follower's with the first record of it.
func (l *partitionLog) noteEpoch(epoch kafka.Epoch, offset int64) {
	if epoch > l.lastEpoch() {
		l.epochs = append(l.epochs, epochStart{epoch, offset})
	}
}

// forgetEpochs forgets the epochs that begin at an offset or above.
func (l *partitionLog) forgetEpochs(offset int64) {
	l.epochs = slices.DeleteFunc(l.epochs, func(e epochStart) bool { return e.start >= offset })
}

// endOf tells where an epoch ends in this log; if there is no record of it, where the last one before it ends.
//
// Source: LeaderEpochFileCache.endOffsetFor.
func (l *partitionLog) endOf(epoch kafka.Epoch) kafka.EpochEnd {
	if epoch == kafka.NoEpoch {
		return kafka.EpochEnd{Epoch: kafka.NoEpoch, Offset: kafka.NoOffset}
	}
	if epoch == l.lastEpoch() {
		return kafka.EpochEnd{Epoch: epoch, Offset: l.end()}
	}
	i := slices.IndexFunc(l.epochs, func(e epochStart) bool { return e.epoch > epoch })
	switch i {
	case -1:
		return kafka.EpochEnd{Epoch: kafka.NoEpoch, Offset: kafka.NoOffset}
	case 0:
		return kafka.EpochEnd{Epoch: epoch, Offset: l.epochs[0].start}
	}
	return kafka.EpochEnd{Epoch: l.epochs[i-1].epoch, Offset: l.epochs[i].start}
}
