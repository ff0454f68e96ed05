import * as v from 'valibot';
import type { Event } from '@forge-desk/base/event.ts';
import { everywhere, forEachArea, type ForgeInstance } from 'sourcehut/port/instance.ts';
import { Token } from 'sourcehut/identity/token.ts';

/** A sample forge that runs now. Everything here lives as long as its world. */
export interface RunningSample {
	readonly instance: ForgeInstance;
	/** Secret of the client that it has registered for us. */
	readonly clientSecret: Token;
	/** Personal tokens of its users, by name without `~`. */
	readonly tokens: Readonly<Record<string, Token>>;
	/** Its mail server on this computer, for addresses of `domain` and its subdomains. */
	readonly smtp: { readonly port: number; readonly domain: string } | undefined;
	/** The folder with the unreadable world of an earlier process. */
	readonly setAside: string | undefined;
}

/** Another process holds the port. `by`: the forge that it belongs to. */
export interface TakenPort {
	readonly taken: number;
	readonly by: RunningSample | undefined;
}

/** Starts and provides the sample forge. */
export interface SampleSource {
	running(): RunningSample | undefined;
	/** Starts it; the one that runs already is the answer otherwise. Never more than one. */
	start(signal: AbortSignal): Promise<RunningSample>;
	/** Whom the next window signs in to it; `undefined` for nobody. */
	keepUser(user: string | undefined): Promise<void>;
	/** Ends it in all windows, and deletes its world. */
	end(signal: AbortSignal): Promise<void>;
	/** It started or ended. */
	readonly onDidChange: Event<void>;
}

/** A fixed id without the port, so that the next start finds its accounts' data. */
const sampleId = 'sample';

export const sampleName = 'Sample Forge';

/** The one user of the sample forge as whom people try it. */
export const sampleUser = 'alice';

export function isOfSample(connectionKey: string): boolean {
	return connectionKey.endsWith(`.${sampleId}`);
}

/** The sample forge runs on this machine; rejects other addresses. */
const ownAddress = v.pipe(v.string(), v.regex(/^http:\/\/127\.0\.0\.1:\d{1,5}$/));

const token = v.pipe(
	v.string(),
	v.transform((text) => new Token(text)),
);

const ready = v.pipe(
	v.object({
		ready: v.literal(true),
		areas: v.object(forEachArea(() => ownAddress)),
		client: v.object({ id: v.string(), secret: v.nullish(token), redirectPort: v.nullish(v.number()) }),
		dialect: v.string(),
		hub: v.nullish(ownAddress),
		webhookKey: v.nullish(v.string()),
		tokens: v.optional(v.record(v.string(), token), {}),
		setAside: v.nullish(v.string()),
		smtp: v.fallback(v.nullish(v.object({ port: v.number(), domain: v.string() })), undefined),
	}),
	v.transform(({ areas, client, dialect, hub, webhookKey, tokens, smtp, setAside }): RunningSample => ({
		instance: {
			id: sampleId,
			name: sampleName,
			areas,
			protocols: everywhere(dialect === 'graphql' ? 'graphql' : 'rest'),
			signIn: signInOf(dialect, client.id, client.redirectPort ?? 0),
			// In this contract, setting a patchset's status needs only the read permission.
			scopeSpelling: { prefixes: {}, names: dialect === 'document' ? { 'patches:write': 'patches:read' } : {} },
			webhookKey: webhookKey ?? undefined,
			isSample: true,
			...(hub ? { hub } : {}),
		},
		clientSecret: client.secret ?? new Token(''),
		tokens,
		smtp: smtp ?? undefined,
		setAside: setAside ?? undefined,
	})),
);

const readyLine = v.pipe(v.string(), v.parseJson(), ready);

const takenLine = v.pipe(
	v.string(),
	v.parseJson(),
	v.object({ taken: v.number(), by: v.nullable(ready) }),
	v.transform(({ taken, by }): TakenPort => ({ taken, by: by ?? undefined })),
);

/** Parses the ready line of the sample forge's process; `undefined` for any other line. */
export function readReadyLine(line: string): RunningSample | undefined {
	const read = v.safeParse(readyLine, line);
	return read.success ? read.output : undefined;
}

/** Parses the line of a process that found its ports taken; `undefined` for any other line. */
export function readTakenLine(line: string): TakenPort | undefined {
	const read = v.safeParse(takenLine, line);
	return read.success ? read.output : undefined;
}

function signInOf(dialect: string, clientId: string, redirectPort: number): ForgeInstance['signIn'] {
	switch (dialect) {
		case 'graphql':
			return { kind: 'secret', clientId, redirectPort };
		case 'field':
			return { kind: 'exchange', clientId, redirectPort };
		default:
			return { kind: 'pkce', clientId };
	}
}
