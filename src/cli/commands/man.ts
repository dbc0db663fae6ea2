import type { Command } from 'commander';

/** The manual page of a program as source for man(7), made of what its help says. */
export function manPage(program: Command): string {
  const [summary = ''] = program.description().split('\n');
  const name = program.name();
  return [
    `.TH ${name.toUpperCase()} 1 "" "${name} ${program.version() ?? ''}" "User Commands"`,
    '.SH NAME',
    text(`${name} - ${sentenceWithin(summary)}`),
    '.SH SYNOPSIS',
    `.B ${text(name)}`,
    text('COMMAND [OPTIONS] [ARGUMENTS]'),
    '.SH DESCRIPTION',
    ...program.description().split('\n').map(text),
    '.SH COMMANDS',
    ...program.commands.flatMap((command) => commandParts(program, command)),
    '.SH NOTES',
    ...preformatted(textAfterHelp(program)),
    '',
  ].join('\n');
}

/** A command with its options, and the commands below it. */
function commandParts(program: Command, command: Command, above = ''): string[] {
  const help = program.createHelp();
  const title = above === '' ? help.subcommandTerm(command) : `${above} ${help.subcommandTerm(command)}`;
  const options = help.visibleOptions(command).filter(({ long }) => long !== '--help');
  return [
    `.SS ${text(title)}`,
    text(`${command.description()}.`),
    ...help.visibleArguments(command).flatMap((argument) => term(argument.name(), argument.description)),
    ...options.flatMap((option) => term(help.optionTerm(option), help.optionDescription(option))),
    ...preformatted(textAfterHelp(command)),
    ...command.commands.flatMap((inner) => commandParts(program, inner, command.name())),
  ];
}

/** What the help of a command says behind its lists. */
function textAfterHelp(command: Command): string {
  const output = command.configureOutput();
  let help = '';
  command.configureOutput({ writeOut: (part) => (help += part) }).outputHelp();
  command.configureOutput(output);
  return help.slice(command.helpInformation().length).trim();
}

function term(name: string, description: string): string[] {
  return ['.TP', `.B ${text(name)}`, text(description)];
}

/** Lines that stay as they are. */
function preformatted(lines: string): string[] {
  return lines === '' ? [] : ['.PP', '.nf', ...lines.split('\n').map(text), '.fi'];
}

/** As the one line of `man -k` has it. */
function sentenceWithin(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');
}

/**
 * Text in which nothing is a command of troff, and in which a hyphen is one that can be copied.
 * See groff_man_style(7), "Portability".
 */
function text(line: string): string {
  const escaped = line.replaceAll('\\', '\\e').replaceAll('-', '\\-');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
