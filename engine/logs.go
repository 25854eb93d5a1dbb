package main

import (
	"context"
	"io"
	"log"
	"log/slog"
	"sync/atomic"
)

// counter is a logger of both kinds that only counts.
type counter struct{ said atomic.Int64 }

func (c *counter) count() int64 { return c.said.Load() }

func (c *counter) Write(text []byte) (int, error) {
	c.said.Add(1)
	return len(text), nil
}

func (c *counter) Enabled(_ context.Context, level slog.Level) bool { return level != slog.LevelDebug }

func (c *counter) Handle(context.Context, slog.Record) error {
	c.said.Add(1)
	return nil
}

func (c *counter) WithAttrs([]slog.Attr) slog.Handler { return c }

func (c *counter) WithGroup(string) slog.Handler { return c }

// listenForAny counts whatever is logged.
func listenForAny(c *counter) {
	slog.SetDefault(slog.New(c))
	log.SetOutput(c)
}

// listen3 logs as Helm 3 does: the standard logger, with the place of the call.
func listen3(out io.Writer) {
	log.SetFlags(log.Lshortfile)
	log.SetOutput(out)
}

// listen4 logs as Helm 4 does: structured, without a time; the standard logger goes the same way.
func listen4(out io.Writer) {
	slog.SetDefault(slog.New(slog.NewTextHandler(out, &slog.HandlerOptions{
		Level: slog.LevelInfo,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	})))
}
