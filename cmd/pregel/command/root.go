// Package command is pregel's command line, as a package: a module with algorithms
// of its own makes a command of them with every verb of pregel.
//
//	func main() { os.Exit(command.Main(os.Args[1:], append(programs.All(), mine))) }
//
// Each verb is in a file of its own. Main makes an app, which holds what the verbs
// share; cobra reads the command line. Beside this package, job reads job files,
// output writes answers, view makes pages of traces, scaffold makes modules, bench
// and graph500 measure, soak tries at random.
package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/vbauerster/mpb/v8/cwriter"

	"gopregel/pregel/mem"
	"gopregel/programs"
)

// An app is one call of the command.
type app struct {
	in       io.Reader
	out, err io.Writer
	terminal bool // err is one
	programs []programs.Entry
	name     string // of the command
	voice    *voice
	began    bool // a verb runs: its command line was understood

	grace time.Duration  // for a superstep that goes on when time is over, at the least
	exit  func(code int) // of a process that cannot end otherwise
}

// Main runs the command with the given algorithms, whose names differ, and returns
// its exit code: 0, or 1, it failed; 2, its command line or a file is wrong; 3, a
// limit stopped it, or its tolerance was out of reach; 4, a
// certificate failed, or engines differ; 130, it was interrupted. The first interrupt
// ends a run at its next barrier, the second the process.
func Main(args []string, list []programs.Entry) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	a := &app{
		in: os.Stdin, out: os.Stdout, err: os.Stderr,
		terminal: cwriter.IsTerminal(int(os.Stderr.Fd())),
		programs: list, name: commandName(built()), grace: 10 * time.Second, exit: os.Exit,
	}
	if err := checkEntries(list); err != nil {
		a.tell("%v", err)
		return exitError
	}
	return a.execute(ctx, args)
}

func (a *app) execute(ctx context.Context, args []string) (code int) {
	debug.SetPanicOnFault(true)
	defer func() {
		switch r := recover(); {
		case r == nil:
		case mem.Fault(r) != nil:
			a.tell("%v", mem.Fault(r))
			code = exitError
		default:
			a.tell("internal error: %v\n%s", r, debug.Stack())
			code = exitError
		}
	}()
	root := a.root()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	code = a.code(ctx, err)
	if err == nil {
		return code
	}
	if code == exitInterrupted {
		err = interrupted(err)
	}
	if text := err.Error(); text != "" {
		a.tell("%s", text)
	}
	return code
}

func (a *app) root() *cobra.Command {
	name := cmp.Or(a.name, standardName)
	root := &cobra.Command{
		Use:   name,
		Short: "Runs graph algorithms written for vertices and edges",
		Long: name + ` runs graph algorithms written for vertices and edges.

  pregel run job.yaml        runs the job
  pregel plan job.yaml       says how much memory that needs
  pregel programs            lists the algorithms
  pregel devices             lists the GPUs
  pregel check sssp          looks for laws that a program breaks
  pregel schema              describes job files

Exit codes: 0 done; 1 the system failed, such as a full disk; 2 bad job, input or
command line; 3 stopped at max_supersteps, limits.supersteps or limits.time before
the end, or a metric falls no further and is above its tolerance (the result is
written); 4 a certificate failed, engines differ, or a law is broken; 130 interrupted.`,
		SilenceErrors: true, SilenceUsage: true,
		RunE:             func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRun: func(*cobra.Command, []string) { a.began = true },
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return fmt.Errorf("%w (see %s --help)", err, c.CommandPath())
	})
	root.AddCommand(a.runCommand(), a.verifyCommand(), a.infoCommand(), a.genCommand(), a.convertCommand(),
		a.planCommand(), a.viewCommand(), a.whyCommand(), a.stepCommand(), a.devicesCommand(), a.diffCommand(), a.checkCommand(), a.newCommand(), a.gradeCommand(), a.soakCommand(),
		a.benchCommand(), a.programsCommand(), a.schemaCommand(), a.versionCommand())
	a.voice = newVoice(name, root)
	a.voice.teach(root)
	return root
}
