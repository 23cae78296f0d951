import { Argument, CommanderError, Command as Parser } from 'commander';
import { type Command, CommandError, EXIT, type Invocation } from './command.ts';
import type { Surroundings } from './surroundings.ts';
import { printable } from './terminal.ts';

const JSON_FLAG = ['--json', 'print JSON for programs'] as const;
const AS_FLAG = ['--as <user>', 'the user id to call under; HANDRAIL_USER_ID or cli without this'] as const;
const EXIT_CODES = 'Exit codes: 0 done, 1 otherwise, 2 wrong usage, 3 denied, 4 expired, 5 failed.';

type Options = { commands: readonly Command[]; surroundings: Surroundings; version: string };

/** Runs the command that the words name. Answers the exit code; writes faults to the errors of the surroundings. */
export async function runProgram(words: readonly string[], options: Options): Promise<number> {
  const { errors } = options.surroundings;
  let code: number = EXIT.done;
  const parser = parserOf(options, (ended) => {
    code = ended;
  });
  try {
    await parser.parseAsync(words.length === 0 ? ['--help'] : [...words], { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const isExpected = error instanceof CommandError;
    errors.write(`handrail: ${printable(error instanceof Error ? error.message : String(error))}\n`);
    return isExpected ? error.exitCode : EXIT.other;
  }
}

function parserOf({ commands, surroundings, version }: Options, ended: (code: number) => void): Parser {
  const parser = new Parser('handrail');
  configure(parser, surroundings)
    .description('Hands for scripts and agents on this desktop, under your eyes. Nothing here approves a request.')
    .version(version)
    .addHelpText('after', `\n${EXIT_CODES}\nExample: handrail start`);
  const groups = new Map<string, Parser>();
  for (const command of commands) {
    const [first = '', second] = command.name.split(' ');
    const parent = second === undefined ? parser : groupOf(first);
    add(parent, command, second ?? first);
  }
  return parser;

  function groupOf(name: string): Parser {
    const present = groups.get(name);
    if (present !== undefined) return present;
    const inGroup = commands.filter((command) => command.name.startsWith(`${name} `));
    const group = configure(parser.command(name), surroundings)
      .description(inGroup.map(({ summary }) => summary).join('; '))
      .addHelpText('after', examplesOf(inGroup.flatMap(({ examples }) => examples)));
    groups.set(name, group);
    return group;
  }

  function add(parent: Parser, command: Command, word: string): void {
    const added = configure(parent.command(word), surroundings).description(command.summary);
    if (command.argument !== undefined) {
      const { form, description, choices } = command.argument;
      const argument = new Argument(form, description);
      added.addArgument(choices === undefined ? argument : argument.choices(choices));
    }
    if (command.rest !== undefined) added.argument(command.rest.form, command.rest.description);
    for (const { flags, description } of command.options ?? []) added.option(flags, description);
    if (command.isRequester) added.option(...AS_FLAG);
    added.option(...JSON_FLAG).addHelpText('after', examplesOf(command.examples));
    if (command.notes !== undefined) added.addHelpText('after', `\n${command.notes.join('\n')}`);
    added.action(async (...given: unknown[]) => ended(await command.run(invocationOf(given, surroundings))));
  }
}

/** Faults of usage are thrown instead of ending the process, and go where the surroundings say. */
function configure(parser: Parser, { output, errors }: Surroundings): Parser {
  return parser
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void output.write(text),
      writeErr: (text) => void errors.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, 'handrail: ')),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ subcommandTerm: termOf })
    .showHelpAfterError('(--help shows the usage)')
    .helpOption('-h, --help', 'show this');
}

/** A command and its arguments, without "[options]" in each line. */
function termOf(parser: Parser): string {
  const names = parser.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}${argument.variadic ? '...' : ''}]`,
  );
  return [parser.name(), ...names].join(' ');
}

function examplesOf(examples: readonly string[]): string {
  return `\nExample:\n${examples.map((example) => `  ${example}`).join('\n')}`;
}

/** The parser gives the arguments one by one, then the options and itself. */
function invocationOf(given: readonly unknown[], surroundings: Surroundings): Invocation {
  const words = given
    .slice(0, -2)
    .flat()
    .filter((word) => typeof word === 'string');
  const options: Invocation['options'] = { ...Object(given.at(-2)) };
  return { words, options, isJson: options.json === true, surroundings };
}
