package kafka

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Source: replication.md section 8; the first six are Kafka's own (UtilsTest.testMurmur2).
func TestMurmur2(t *testing.T) {
	for text, hash := range map[string]int32{
		"21": -973932308, "foobar": -790332482, "a-little-bit-long-string": -985981536, "a-little-bit-longer-string": -1486304829,
		"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971, "abc": 479470107,
		"a": -1563381124, "b": -1853091852, "c": -1877468854, "d": 284602193, "key1": 28543940, "key2": 1674751211, "key3": -1745673403,
		"user-1": 1404122828, "user-2": -324981792, "order-42": 501153024, "hello": 2132663229, "kafka": -798503068, "张三": 1568254459, "": 275646681,
	} {
		require.Equal(t, hash, Murmur2([]byte(text)), text)
	}
}

func TestAKeyAlwaysGoesToTheSamePartitionOfSoMany(t *testing.T) {
	for key, want := range map[string][2]int32{
		"a": {1, 4}, "b": {2, 2}, "c": {1, 4}, "d": {2, 5}, "key1": {2, 2}, "key2": {2, 5}, "key3": {1, 1}, "user-1": {2, 2},
		"user-2": {2, 2}, "order-42": {0, 0}, "hello": {0, 3}, "kafka": {1, 4}, "张三": {1, 1}, "": {0, 3},
	} {
		require.Equal(t, want, [2]int32{KeyPartition(key, 3), KeyPartition(key, 6)}, key)
	}
}
