import { Buffer } from 'node:buffer';
import { everywhere, GitCommand, inClone, receivedObjectBytes } from './gitCommand.ts';
import { fetchedTip } from './gitCommands.ts';
import { idArgument, pushAddressArgument } from './gitNames.ts';

const hourMs = 60 * 60_000;

/** Commands for clones of mail archives: one commit for each mail. They run in bare repositories of our own. */
export const epochCommands = {
	/** Fetches the branch that the server shows first. Replaces a rewritten history. Without the user’s passwords. */
	fetchEpoch: (address: string, depth: number | undefined) =>
		new GitCommand(
			'fetchEpoch',
			{ timeMs: 6 * hourMs, outputBytes: 1_000_000, objectBytes: receivedObjectBytes },
			(devNull) => [
				...everywhere(devNull),
				'core.alternateRefsCommand=false',
				'core.bigFileThreshold=16m',
				'fetch.fsckObjects=false',
				// Git reports the received size of packs only, and the size is limited.
				'fetch.unpackLimit=1',
				'transfer.unpackLimit=1',
				'fetch.writeCommitGraph=false',
			],
			[
				'--git-dir=.',
				'fetch',
				'--no-tags',
				'--no-write-fetch-head',
				'--no-recurse-submodules',
				'--no-auto-maintenance',
				'--progress',
				'--upload-pack=git-upload-pack',
				...(depth === undefined ? [] : [`--depth=${Math.max(1, Math.floor(depth))}`]),
				'--end-of-options',
				pushAddressArgument(address),
				`+HEAD:${fetchedTip}`,
			],
			{ address },
		),

	/** Joins the small packs of many fetches. A kill leaves the older packs. */
	joinPacks: () => inOwn('joinPacks', hourMs, ['repack', '--geometric=2', '-d', '-q', '--no-write-bitmap-index']),

	/** The commit that was fetched last. */
	epochTip: () => inOwn('epochTip', 20_000, ['rev-parse', '--verify', '--quiet', `${fetchedTip}^{commit}`]),

	/** Exit code 0 if a later fetch only added commits. */
	isAncestor: (older: string, newer: string) =>
		inOwn('isAncestor', hourMs, ['merge-base', '--is-ancestor', idArgument(older), idArgument(newer)]),

	/** Subject and changed files of each commit, by raw lines, oldest commit first. `from`: without its history. */
	epochChanges: (from: string | undefined, to: string) =>
		inOwn('epochChanges', hourMs, [
			'log',
			'--reverse',
			'--first-parent',
			'--diff-merges=first-parent',
			'--root',
			'--raw',
			'-z',
			'--no-abbrev',
			'--no-renames',
			'--no-ext-diff',
			'--no-textconv',
			'--no-mailmap',
			'--no-notes',
			'--no-decorate',
			'--no-color',
			'--format=%H %s',
			idArgument(to),
			...(from === undefined ? [] : [`^${idArgument(from)}`]),
			'--',
		]),

	/** Their sizes, without their contents. */
	epochSizes: (ids: readonly string[]) =>
		inOwn('epochSizes', hourMs, ['cat-file', '--batch-check', '--buffer'], ids.map(idArgument)),

	/** Files by id. */
	epochMails: (ids: readonly string[]) =>
		inOwn('epochMails', hourMs, ['cat-file', '--batch', '--buffer'], ids.map(idArgument)),
};

function inOwn(kind: string, timeMs: number, args: readonly string[], lines: readonly string[] = []): GitCommand {
	const input = Buffer.from(lines.map((line) => `${line}\n`).join(''), 'latin1');
	// The consumer sets the pace, and bounds what it holds.
	const limits = { timeMs, outputBytes: Number.MAX_SAFE_INTEGER, objectBytes: receivedObjectBytes };
	return inClone(kind, limits, ['--git-dir=.', ...args], input);
}
