package sim

import (
	"flag"
	"os"
	"testing"
)

// TestMain keeps the drawn worlds few, so that the tests stay quick. To look longer: go test ./core/sim -rapid.checks=500.
func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given {
		if err := flag.Set("rapid.checks", "20"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
