import type { Command } from 'commander';
import { SETTINGS, type Setting } from '../../src/settings/settings.ts';

// The manual page, in the macros of man(7), generated from the definitions of the commands.

/**
 * The page about a program and all of its commands.
 *
 * @param date of the page, such as 2026-11-24
 */
export function manPage(root: Command, version: string, date: string): string {
  return [
    `.TH REDOUBT 1 ${date} "redoubt ${version}" "User Commands"`,
    '.nh',
    '.ad l',
    '.SH NAME',
    `redoubt \\- ${text(root.description())}`,
    '.SH SYNOPSIS',
    '.B redoubt',
    '.I command',
    '.RI [ option ...]',
    '.SH DESCRIPTION',
    'Redoubt serves licenses, telemetry, a threat feed, evidence and credentials to',
    'plugins and agents.',
    'The executable contains the handbook. A running server shows it at',
    '.BR /docs/handbook .',
    '.SH OPTIONS',
    ...options(root),
    '.SH COMMANDS',
    ...below(root).flatMap(section),
    '.SH EXIT STATUS',
    ...EXIT_CODES.flatMap(([code, meaning]) => tagged(`\\fB${code}\\fR`, meaning)),
    '.SH ENVIRONMENT',
    ...Object.values<Setting>(SETTINGS).flatMap(({ env, fallback, help }) =>
      tagged(`\\fB${text(env)}\\fR`, fallback ? `${help} (default: ${fallback})` : help),
    ),
    '.SH FILES',
    ...FILES.flatMap(([path, meaning]) => tagged(`\\fI${text(path)}\\fR`, meaning)),
    '',
  ].join('\n');
}

const EXIT_CODES = [
  ['0', 'done'],
  ['1', 'refused, or not found'],
  ['2', 'wrong usage, or settings that cannot be used'],
  ['3', 'done, but something needs attention'],
] as const;

const FILES = [
  ['/etc/redoubt/redoubt.env', 'settings of the service; name this file in SERVICE_CONFIG for commands'],
  ['/var/lib/redoubt', 'database, keys and backups of the service'],
] as const;

/** The commands below another one, without groups. */
function below(command: Command): Command[] {
  const { commands } = command;
  return commands.flatMap((child) => (child.commands.length > 0 ? [child, ...below(child)] : [child]));
}

function section(command: Command): string[] {
  const usage = `${pathOf(command)} ${command.usage()}`.trim();
  const values = command.registeredArguments.flatMap((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return tagged(`\\fI${text(argument.required ? name : `[${name}]`)}\\fR`, argument.description);
  });
  return [
    `.SS ${text(usage)}`,
    text(command.description()),
    ...values,
    ...options(command),
    ...after(command),
  ];
}

const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;

const options = (command: Command): string[] =>
  command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => command.parent === null || long !== '--help')
    .flatMap((option) =>
      tagged(`\\fB${text(option.flags)}\\fR`, command.createHelp().optionDescription(option)),
    );

/** The text that help shows below the options, such as examples. */
function after(command: Command): string[] {
  // Settings have their own section.
  if (command.name() === 'config') return [];
  let shown = '';
  command.configureOutput({
    writeOut: (piece) => {
      shown += piece;
    },
  });
  command.outputHelp();
  shown = shown.replace(command.helpInformation(), '');
  if (shown.trim() === '') return [];
  return ['.PP', '.EX', literal(shown.trim()), '.EE'];
}

const tagged = (tag: string, meaning: string): string[] => ['.TP', tag, text(meaning) || '\\&'];

/** Escapes a text for roff. */
const literal = (plain: string): string =>
  plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');

/** Escapes a text and wraps its lines. */
const text = (plain: string): string => literal(plain.replace(/(.{60,72}) +/g, '$1\n'));
