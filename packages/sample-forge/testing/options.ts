import { join } from 'node:path';
import { homedir } from 'node:os';
import { commandLine, type Given, type Options, readCount, readOptions } from '../src/options.ts';

/** Sizes of `~alice/many` in each area; 0 leaves it out. */
export interface Sizes {
	/** Tickets of the tracker. */
	readonly tickets: number;
	/** Files of the repository. */
	readonly files: number;
	/** Patches of one long series on the list. */
	readonly series: number;
}

/** With a control origin at the fifth port. */
export interface ControlledOptions extends Options {
	/** Persistent cache of expensive parts, keyed by a content hash. */
	readonly cacheDir: string;
	readonly sizes: Sizes;
	/** Delay of every response. */
	readonly latencyMs: number;
	/** `guest` is the world of the shipped forge. */
	readonly world: 'tests' | 'guest';
}

/** The command line, for `parseArgs`. */
export const controlledCommandLine = {
	...commandLine,
	cache: { type: 'string' },
	tickets: { type: 'string', default: '0' },
	files: { type: 'string', default: '0' },
	series: { type: 'string', default: '0' },
	'latency-ms': { type: 'string', default: '0' },
	world: { type: 'string', default: 'tests' },
} as const;

interface ControlledGiven extends Given {
	readonly cache?: string | undefined;
	readonly tickets: string;
	readonly files: string;
	readonly series: string;
	readonly 'latency-ms': string;
	readonly world: string;
}

/** Parses the options; throws an Error with a message for people. */
export function readControlledOptions(
	given: ControlledGiven,
	environment: Readonly<Record<string, string | undefined>>,
): ControlledOptions {
	const { world, cache } = given;
	const caches = environment['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
	if (world !== 'tests' && world !== 'guest') {
		throw new Error(`--world is tests or guest, not ${world}`);
	}
	return {
		...readOptions(given),
		cacheDir: cache ?? join(caches, 'forge-desk', 'sample-forge'),
		sizes: {
			tickets: readCount('tickets', given.tickets),
			files: readCount('files', given.files),
			series: readCount('series', given.series),
		},
		latencyMs: readCount('latency-ms', given['latency-ms']),
		world,
	};
}
