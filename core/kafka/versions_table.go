package kafka

// steps reads entries from..version pairs: steps("0.9", 0, "0.10.1", 1) is version 0 from 0.9 on, 1 from 0.10.1 on.
func steps(pairs ...any) []versionStep {
	var list []versionStep
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, versionStep{mustRelease(pairs[i].(string)), int16(pairs[i+1].(int))})
	}
	return list
}

// apiVersions has the highest version of each API by release, the same for clients and brokers.
//
// Source: org.apache.kafka.common.protocol.ApiKeys of the releases (latestVersion, stable versions only). Brokers of 4.0
// read a metadata log and have no UpdateMetadata; the model's controller sends it to brokers of any release.
var apiVersions = map[API][]versionStep{
	ProduceAPI:              steps("0.9", 1, "0.10", 2, "0.11", 3, "1.0", 5, "2.0", 6, "2.1", 7, "2.4", 8, "2.8", 9, "3.7", 10, "3.8", 11, "4.0", 12),
	FetchAPI:                steps("0.9", 1, "0.10", 2, "0.10.1", 3, "0.11", 5, "1.0", 6, "1.1", 7, "2.0", 8, "2.1", 10, "2.3", 11, "2.7", 12, "3.1", 13, "3.5", 15, "3.7", 16, "3.9", 17),
	ListOffsetsAPI:          steps("0.9", 0, "0.10.1", 1, "0.11", 2, "2.0", 3, "2.1", 4, "2.2", 5, "2.8", 6, "3.0", 7, "3.5", 8, "3.9", 9, "4.0", 10),
	MetadataAPI:             steps("0.9", 0, "0.10", 1, "0.10.1", 2, "0.11", 4, "1.0", 5, "2.0", 6, "2.1", 7, "2.3", 8, "2.4", 9, "2.8", 11, "3.1", 12, "4.0", 13),
	UpdateMetadataAPI:       steps("0.9", 1, "0.10", 2, "0.10.2", 3, "1.0", 4, "2.2", 5, "2.4", 6, "2.8", 7, "3.4", 8),
	OffsetCommitAPI:         steps("0.9", 2, "0.11", 3, "2.0", 4, "2.1", 6, "2.3", 7, "2.4", 8, "3.7", 9),
	OffsetFetchAPI:          steps("0.9", 1, "0.10.2", 2, "0.11", 3, "2.0", 4, "2.1", 5, "2.4", 6, "2.5", 7, "3.0", 8, "3.7", 9),
	FindCoordinatorAPI:      steps("0.9", 0, "0.11", 1, "2.0", 2, "2.4", 3, "3.0", 4, "3.8", 5, "3.9", 6),
	JoinGroupAPI:            steps("0.9", 0, "0.10.1", 1, "0.11", 2, "2.0", 3, "2.2", 4, "2.3", 5, "2.4", 6, "2.5", 7, "3.2", 9),
	HeartbeatAPI:            steps("0.9", 0, "0.11", 1, "2.0", 2, "2.3", 3, "2.4", 4),
	LeaveGroupAPI:           steps("0.9", 0, "0.11", 1, "2.0", 2, "2.4", 4, "3.2", 5),
	ControlledShutdownAPI:   steps("0.9", 1, "2.2", 2, "2.4", 3),
	SyncGroupAPI:            steps("0.9", 0, "0.11", 1, "2.0", 2, "2.3", 3, "2.4", 4, "2.5", 5),
	InitProducerIDAPI:       steps("0.11", 0, "2.0", 1, "2.4", 2, "2.5", 3, "2.8", 4, "3.8", 5),
	AddPartitionsToTxnAPI:   steps("0.11", 0, "2.0", 1, "2.4", 2, "2.8", 3, "3.5", 4, "3.8", 5),
	AddOffsetsToTxnAPI:      steps("0.11", 0, "2.0", 1, "2.4", 2, "2.8", 3, "3.8", 4),
	EndTxnAPI:               steps("0.11", 0, "2.0", 1, "2.4", 2, "2.8", 3, "3.8", 4, "4.0", 5),
	WriteTxnMarkersAPI:      steps("0.11", 0, "2.8", 1),
	TxnOffsetCommitAPI:      steps("0.11", 0, "2.0", 1, "2.1", 2, "2.5", 3, "3.8", 4, "4.0", 5),
	OffsetForLeaderEpochAPI: steps("0.11", 0, "2.0", 1, "2.1", 2, "2.3", 3, "2.8", 4),
	AlterPartitionAPI:       steps("2.7", 0, "3.2", 1, "3.3", 2, "3.5", 3),
}

// oldestVersions has the lowest version of each API that clients and brokers still speak since 4.0 (KIP-896), where it is
// not 0; before, nothing was given up.
var oldestVersions = map[API]int16{
	ProduceAPI: 3, FetchAPI: 4, ListOffsetsAPI: 1, OffsetCommitAPI: 2, OffsetFetchAPI: 1, JoinGroupAPI: 2,
}

// oldVersionsRemoved is the release that gave up the versions before those.
var oldVersionsRemoved = mustRelease("4.0")
