import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Sizes } from './area.ts';
import type { DialectName } from './dialect.ts';

export interface Options {
	readonly dialect: DialectName;
	readonly sizes: Sizes;
	/** Outlives the process. */
	readonly cacheDir: string;
	/** meta, todo, git, lists, control and SMTP take this port and the next five; 0 means free ports. */
	readonly firstPort: number;
	/** Port of the registered redirect address of the field dialect; 0 means one that is free now. */
	readonly redirectPort: number;
	readonly latencyMs: number;
}

/** Reads the command line; throws an Error whose message is for people. */
export function readOptions(
	args: readonly string[],
	environment: Readonly<Record<string, string | undefined>>,
): Options {
	const { values } = parseArgs({
		args: [...args],
		options: {
			dialect: { type: 'string', default: 'field' },
			tickets: { type: 'string', default: '0' },
			files: { type: 'string', default: '0' },
			series: { type: 'string', default: '0' },
			cache: { type: 'string' },
			ports: { type: 'string', default: '0' },
			'redirect-port': { type: 'string', default: '0' },
			'latency-ms': { type: 'string', default: '0' },
		},
	});
	const { dialect } = values;
	if (dialect !== 'field' && dialect !== 'document') {
		throw new Error(`--dialect is field or document, not ${dialect}`);
	}
	const caches = environment['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
	return {
		dialect,
		sizes: {
			tickets: readCount('tickets', values.tickets),
			files: readCount('files', values.files),
			series: readCount('series', values.series),
		},
		cacheDir: values.cache ?? join(caches, 'forge-desk', 'sample-forge'),
		firstPort: readCount('ports', values.ports),
		redirectPort: readCount('redirect-port', values['redirect-port']),
		latencyMs: readCount('latency-ms', values['latency-ms']),
	};
}

function readCount(name: string, text: string): number {
	if (!/^\d{1,6}$/.test(text)) {
		throw new Error(`--${name} is a number, not ${text}`);
	}
	return Number(text);
}
