package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"groupscope/web"
)

// measureWeight compares the program with a bare one: both compiled and compressed here and now.
func measureWeight(ctx context.Context) error {
	fmt.Println("The weight for browsers, in MB (compressing takes about a minute and a half)")
	folder, err := os.MkdirTemp("", "groupscope-weight-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	ours, err := weigh(ctx, filepath.Join(folder, "ours.wasm"), "groupscope/wasm")
	if err != nil {
		return err
	}
	bare, err := weigh(ctx, filepath.Join(folder, "bare.wasm"), "groupscope/cmd/bench/bare")
	if err != nil {
		return err
	}
	fmt.Printf("  %-12s %12s %12s %12s\n", "", "groupscope", "bare", "ratio")
	for _, form := range []struct {
		name       string
		ours, bare int64
	}{{"raw", ours.Raw, bare.Raw}, {"gzip", ours.Gzip, bare.Gzip}, {"brotli", ours.Brotli, bare.Brotli}} {
		fmt.Printf("  %-12s %12.2f %12.2f %12.2f\n", form.name, megabytes(form.ours), megabytes(form.bare), float64(form.ours)/float64(form.bare))
	}
	return nil
}

func weigh(ctx context.Context, path, program string) (web.Sizes, error) {
	if err := web.CompileWASM(ctx, program, path); err != nil {
		return web.Sizes{}, err
	}
	if err := web.Pack(path, web.Smallest); err != nil {
		return web.Sizes{}, err
	}
	return web.SizesOf(path), nil
}

func megabytes(bytes int64) float64 { return float64(bytes) / 1e6 }
