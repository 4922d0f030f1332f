package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestGroupsLiveInThePartitionOfTheirHash(t *testing.T) {
	// coordinator.md section 12, computed with a JDK
	for _, c := range []struct {
		group     string
		hash      int32
		partition int32
	}{
		{"test", 3556498, 48},
		{"group1", -1237460590, 40},
		{"CountryCounter", 1942998438, 38},
		{"G1", 2250, 0},
		{"G2", 2251, 1},
		{"my-group", -1906497762, 12},
		{"consumer-group", -1738392088, 38},
		{"order-service", 562889526, 26},
		{"payment", -786681338, 38},
		{"analytics", -1693017210, 10},
		{"demo", 3079651, 1},
		{"groupA", -1237460574, 24},
		{"groupB", -1237460573, 23},
		{"test-group", 627841412, 12},
		{"polygenelubricants", -2147483648, 0},
		{"a", 97, 47},
		{"测试组", 28029978, 28},
		{"", 0, 0},
		{"😀", 1772899, 49},
	} {
		t.Run(c.group, func(t *testing.T) {
			require.Equal(t, c.hash, JavaHash(c.group))
			require.Equal(t, c.partition, GroupPartition(c.group, 50))
		})
	}
}

func TestTopicPartitionIsReadFromItsTextForm(t *testing.T) {
	for _, text := range []string{"T1-0", "my-topic-12", "__consumer_offsets-49"} {
		tp, err := ParseTopicPartition(text)
		require.NoError(t, err)
		require.Equal(t, text, tp.String())
	}
	for _, text := range []string{"", "T1", "-1", "T1-", "T1-x", "T1-99999999999"} {
		_, err := ParseTopicPartition(text)
		require.ErrorContains(t, err, "not a topic-partition like T1-0", text)
	}
}

func TestTopicPartitionsAreOrderedByTopicThenNumber(t *testing.T) {
	require.Negative(t, TopicPartition{"T1", 9}.Compare(TopicPartition{"T2", 0}))
	require.Negative(t, TopicPartition{"T1", 2}.Compare(TopicPartition{"T1", 10}))
	require.Zero(t, TopicPartition{"T1", 2}.Compare(TopicPartition{"T1", 2}))
}

func TestErrorCodesAreFoundByName(t *testing.T) {
	names := ErrorNames()
	require.Len(t, names, len(errorNames))
	for _, name := range names {
		code, ok := ParseErrorCode(name)
		require.True(t, ok, name)
		require.Equal(t, name, code.String())
	}
	require.Equal(t, "UNKNOWN_SERVER_ERROR", names[0])
	_, ok := ParseErrorCode("REBALANCE_NEEDED")
	require.False(t, ok)
	require.Equal(t, "ERROR_4711", ErrorCode(4711).String())
}

func TestErrorCodesHaveTheNumbersOfTheProtocol(t *testing.T) {
	// coordinator.md section 1
	for code, name := range map[ErrorCode]string{
		0: "NONE", 12: "OFFSET_METADATA_TOO_LARGE", 14: "COORDINATOR_LOAD_IN_PROGRESS", 15: "COORDINATOR_NOT_AVAILABLE",
		16: "NOT_COORDINATOR", 22: "ILLEGAL_GENERATION", 23: "INCONSISTENT_GROUP_PROTOCOL", 24: "INVALID_GROUP_ID",
		25: "UNKNOWN_MEMBER_ID", 26: "INVALID_SESSION_TIMEOUT", 27: "REBALANCE_IN_PROGRESS", 28: "INVALID_COMMIT_OFFSET_SIZE",
		30: "GROUP_AUTHORIZATION_FAILED", 68: "NON_EMPTY_GROUP", 69: "GROUP_ID_NOT_FOUND", 79: "MEMBER_ID_REQUIRED",
		81: "GROUP_MAX_SIZE_REACHED", 82: "FENCED_INSTANCE_ID", 86: "GROUP_SUBSCRIBED_TO_TOPIC", 88: "UNSTABLE_OFFSET_COMMIT",
	} {
		require.Equal(t, name, code.String())
	}
}

func TestAPIsAreFoundByName(t *testing.T) {
	require.Len(t, APINames(), len(apiNames))
	for _, name := range APINames() {
		api, ok := ParseAPI(name)
		require.True(t, ok, name)
		require.Equal(t, name, api.String())
	}
	require.Equal(t, "API_68", API(68).String())
}

func TestErrorOfAResponseIsThatOfItsFirstFailedPart(t *testing.T) {
	require.Equal(t, None, ErrorOf(&HeartbeatRequest{}))
	require.Equal(t, RebalanceInProgress, ErrorOf(&HeartbeatResponse{RebalanceInProgress}))
	require.Equal(t, UnknownMemberID, ErrorOf(&LeaveGroupResponse{Members: []LeftMember{{}, {Error: UnknownMemberID}}}))
	require.Equal(t, OffsetMetadataTooLarge, ErrorOf(&OffsetCommitResponse{[]PartitionError{{}, {Error: OffsetMetadataTooLarge}}}))
}
