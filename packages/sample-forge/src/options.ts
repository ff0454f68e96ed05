import type { DialectName, GraphqlAge } from './shared/area.ts';
import { check } from './shared/checks.ts';

export interface Options {
	readonly dialect: DialectName;
	/** Of the dialect `graphql`: how old its services are. */
	readonly graphqlAge: GraphqlAge;
	/** meta, todo, git and lists take this port and the next three, SMTP the sixth; 0 means free ports. */
	readonly firstPort: number;
	/** Port of the registered redirect address, in flows with one; 0 reserves a port. */
	readonly redirectPort: number;
	/** Folder of a state that outlives the process; empty without. */
	readonly stateDir: string;
}

/** The command line, for `parseArgs`. */
export const commandLine = {
	dialect: { type: 'string', default: 'graphql' },
	'graphql-age': { type: 'string', default: '2026' },
	ports: { type: 'string', default: '0' },
	'redirect-port': { type: 'string', default: '0' },
	state: { type: 'string', default: '' },
} as const;

/** Command line arguments. */
export interface Given {
	readonly dialect: string;
	readonly 'graphql-age': string;
	readonly ports: string;
	readonly 'redirect-port': string;
	readonly state: string;
}

/** Parses arguments; throws an Error with a readable message. */
export function readOptions({
	dialect,
	'graphql-age': graphqlAge,
	ports,
	'redirect-port': redirectPort,
	state: stateDir,
}: Given): Options {
	if (dialect !== 'field' && dialect !== 'document' && dialect !== 'graphql') {
		throw new Error(`--dialect is field, document or graphql, not ${dialect}`);
	}
	if (graphqlAge !== '2023' && graphqlAge !== '2026') {
		throw new Error(`--graphql-age is 2023 or 2026, not ${graphqlAge}`);
	}
	return {
		dialect,
		graphqlAge,
		firstPort: readCount('ports', ports),
		redirectPort: readCount('redirect-port', redirectPort),
		stateDir,
	};
}

/** Parses a number argument; throws an Error with a readable message. */
export function readCount(name: string, text: string): number {
	check(/^\d{1,6}$/.test(text), () => new Error(`--${name} is a number, not ${text}`));
	return Number(text);
}
