package kafka

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var isoDuration = regexp.MustCompile(`^P(?:(\d+)D)?(T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,9}))?S)?)?$`)

// ParseISODuration reads a duration as ISO 8601 writes it, in days and smaller units: P1D, PT1H30M, PT0.5S. False if it is none, if it is
// negative, or longer than about 292 years.
//
// Source: java.time.Duration.parse, which reads the values of by_duration (KIP-1106).
func ParseISODuration(text string) (time.Duration, bool) {
	m := isoDuration.FindStringSubmatch(strings.ToUpper(text))
	if m == nil || strings.HasSuffix(m[0], "P") || strings.HasSuffix(m[0], "T") {
		return 0, false
	}
	fraction := m[6] + strings.Repeat("0", 9-len(m[6]))
	var total time.Duration
	for _, part := range []struct {
		digits string
		unit   time.Duration
	}{{m[1], 24 * time.Hour}, {m[3], time.Hour}, {m[4], time.Minute}, {m[5], time.Second}, {fraction, time.Nanosecond}} {
		if part.digits == "" {
			continue
		}
		n, err := strconv.ParseInt(part.digits, 10, 64)
		if err != nil || n > int64((math.MaxInt64-total)/part.unit) {
			return 0, false
		}
		total += time.Duration(n) * part.unit
	}
	return total, true
}
