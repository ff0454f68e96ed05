import { Buffer } from 'node:buffer';
import { fetchedTip } from './gitCommands.ts';
import { everywhere, GitCommand, inClone, receivedObjectBytes } from './gitCommand.ts';
import { addressArgument, idArgument, pathArgument } from './gitNames.ts';

const minuteMs = 60_000;

/** The part of a history to fetch. */
export type FetchedPart =
	/** Newest commits of the default branch. */
	| { readonly kind: 'newest'; readonly commits: number }
	/** Commits of the default branch since this second. */
	| { readonly kind: 'since'; readonly seconds: number }
	/** Commits after the fetched ones. */
	| { readonly kind: 'update' }
	/** All commits of all branches. */
	| { readonly kind: 'whole'; readonly isShallow: boolean };

/** Deeper than any history; git’s own value. */
const infiniteDepth = 2_147_483_647;

/** Commands for histories without files. They run in repositories of our own. */
export const historyCommands = {
	/** Fetches commits and trees, and files from servers without filter support. Without the user’s passwords. */
	fetchHistory: (address: string, part: FetchedPart, timeMs: number) =>
		new GitCommand(
			'fetchHistory',
			// Tables of the largest histories without files have some 400 MB.
			{ timeMs, outputBytes: 1_000_000, objectBytes: 2 * receivedObjectBytes },
			intoOwn('1'),
			[
				...fetchOptions,
				'--filter=blob:none',
				...depthOptions(part),
				'--end-of-options',
				addressArgument(address),
				`+HEAD:${fetchedTip}`,
				...(part.kind === 'whole' ? ['+refs/heads/*:refs/heads/*'] : []),
			],
			{ address },
		),

	/**
	 * Changes of paths in all fetched commits, by raw lines. Merges show their changes to each parent, so no version is
	 * missing.
	 */
	versions: (paths: readonly string[]) =>
		inClone(
			'versions',
			{ timeMs: 5 * minuteMs, outputBytes: 64_000_000, objectBytes: receivedObjectBytes },
			[
				'--git-dir=.',
				'--literal-pathspecs',
				'log',
				'--all',
				'--stdin',
				'--full-history',
				'--diff-merges=separate',
				'--root',
				'--raw',
				'-z',
				'--no-abbrev',
				'--no-renames',
				'--no-follow',
				'--no-ext-diff',
				'--no-textconv',
				'--no-relative',
				'--no-mailmap',
				'--no-notes',
				'--no-decorate',
				'--no-color',
				'--format=%H',
			],
			Buffer.from(['--', ...paths.map(pathArgument)].map((line) => `${line}\n`).join('')),
		),

	/** Fetches files by id, each into a file of its own. */
	fetchBlobs: (address: string, ids: readonly string[]) =>
		new GitCommand(
			'fetchBlobs',
			{ timeMs: 2 * minuteMs, outputBytes: 1_000_000, objectBytes: receivedObjectBytes },
			intoOwn('1000000'),
			[...fetchOptions, '--stdin', '--end-of-options', addressArgument(address)],
			{ address, input: Buffer.from(ids.map((id) => `${idArgument(id)}\n`).join(''), 'latin1') },
		),
};

const fetchOptions: readonly string[] = [
	'--git-dir=.',
	'fetch',
	'--no-tags',
	'--no-write-fetch-head',
	'--no-recurse-submodules',
	'--progress',
];

/** `unpackLimit`: a pack with fewer objects becomes separate files. */
function intoOwn(unpackLimit: string) {
	return (devNull: string): readonly string[] => [
		...everywhere(devNull),
		// Streams larger files, so that a small pack cannot fill the memory.
		'core.bigFileThreshold=16m',
		'fetch.fsckObjects=false',
		`fetch.unpackLimit=${unpackLimit}`,
		`transfer.unpackLimit=${unpackLimit}`,
		'fetch.writeCommitGraph=false',
	];
}

function depthOptions(part: FetchedPart): readonly string[] {
	switch (part.kind) {
		case 'newest':
			return [`--depth=${part.commits}`];
		case 'since':
			return [`--shallow-since=${part.seconds}`];
		case 'update':
			return [];
		case 'whole':
			return part.isShallow ? [`--depth=${infiniteDepth}`] : [];
	}
}
