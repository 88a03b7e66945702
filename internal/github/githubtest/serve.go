package githubtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
)

const usage = `usage: githubtest -seed FILE [-record FILE] [-url FILE] [-listen ADDRESS]

Serves the part of GitHub's API that fleetgate uses, on loopback, until it is
interrupted. Prints the API's root, for GITHUB_API_URL, as its first line.
Exits 1 if the API was misused, and says how on standard error.

`

// Serve runs a server as a process: it serves until ctx ends, and gives the
// exit code: 0, 1 if the API was misused, 2 if it can't start. From a shell:
//
//	go run internal/github/githubtest/main.go -seed seed.json -record record.json -url url.txt
//
// The seed is a State. The record, a Record, is written anew after each
// request, so that whoever kills the process loses nothing. The URL's file
// appears when the server listens.
func Serve(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var seed, record, address, urlFile string
	flags := flag.NewFlagSet("githubtest", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&seed, "seed", "", "the `FILE` with the state to begin with, as JSON")
	flags.StringVar(&record, "record", "", "the `FILE` to record in, as JSON")
	flags.StringVar(&urlFile, "url", "", "the `FILE` to write the API's root to")
	flags.StringVar(&address, "listen", "127.0.0.1:0", "the `ADDRESS` to listen on")
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return 2
	}
	if flags.NArg() > 0 {
		flags.Usage()
		return 2
	}
	state, err := readSeed(seed)
	if err != nil {
		fmt.Fprintf(stderr, "githubtest: %v\n", err)
		return 2
	}
	s := newServer(state)
	s.report = func(problem string) { fmt.Fprintf(stderr, "the GitHub API was misused: %s\n", problem) }
	if record != "" {
		s.changed = func(r Record) { s.recordIn(record, r) }
	}
	if err := s.listen(ctx, address, urlFile); err != nil {
		fmt.Fprintf(stderr, "githubtest: %v\n", err)
		return 2
	}
	defer s.Close()
	fmt.Fprintln(stdout, s.URL)
	<-ctx.Done()
	return min(len(s.Problems()), 1)
}

// listen starts the server and says where it is.
func (s *Server) listen(ctx context.Context, address, urlFile string) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	s.start(listener)
	if urlFile == "" {
		return nil
	}
	return replace(urlFile, []byte(s.URL))
}

func readSeed(path string) (State, error) {
	var state State
	text, err := os.ReadFile(path)
	if err != nil {
		return State{}, err
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.DisallowUnknownFields()
	if err := in.Decode(&state); err != nil {
		return State{}, fmt.Errorf("%s: %w", path, err)
	}
	if state.Token == "" || state.Login == "" {
		return State{}, errors.New(path + ": it needs a token and a login")
	}
	return state, nil
}

func (s *Server) recordIn(path string, r Record) {
	text, err := json.MarshalIndent(r, "", "  ")
	if err == nil {
		err = replace(path, append(text, '\n'))
	}
	if err != nil {
		s.problems = append(s.problems, "the record can't be written: "+err.Error())
	}
}

// replace writes a file so that a reader sees all of it, or none.
func replace(path string, text []byte) error {
	if err := os.WriteFile(path+".new", text, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}
