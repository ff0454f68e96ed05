import { everywhere } from '../../forge/port/instance.ts';
import type { Area, ForgeInstance } from '../../forge/port/instance.ts';
import type { RunningSample } from '../../editor/accounts/sampleSource.ts';
import { isRecord, numberField, readJsonObject, textField } from '../../forge/identity/jsonFields.ts';
import { Token } from '../../forge/identity/token.ts';

/** A fixed id without the port, so that the next start finds its accounts' data. */
const sampleId = 'sample';

export function isOfSample(connectionKey: string): boolean {
	return connectionKey.endsWith(`.${sampleId}`);
}

/** Parses the ready line of the sample forge's process; `undefined` for any other line. */
export function readReadyLine(line: string): RunningSample | undefined {
	const fields = readJsonObject(line);
	const areas = readAreas(fields?.['areas']);
	const client = readClient(fields?.['client']);
	const dialect = fields && textField(fields, 'dialect');
	const hub = ownAddress(fields?.['hub']);
	if (fields?.['ready'] !== true || areas === undefined || client === undefined || dialect === undefined) {
		return undefined;
	}
	return {
		instance: {
			...instanceOf(areas, client, { dialect, webhookKey: textField(fields, 'webhookKey') }),
			...(hub === undefined ? {} : { hub }),
		},
		clientSecret: client.secret,
		tokens: readTokens(fields['tokens']),
		smtp: readSmtp(fields['smtp']),
	};
}

interface SampleClient {
	readonly id: string;
	readonly secret: Token;
	readonly redirectPort: number;
}

function instanceOf(
	areas: ForgeInstance['areas'],
	client: SampleClient,
	{ dialect, webhookKey }: { readonly dialect: string; readonly webhookKey: string | undefined },
): ForgeInstance {
	const isNewest = dialect === 'graphql';
	return {
		id: sampleId,
		name: 'Sample Forge',
		areas,
		protocols: everywhere(isNewest ? 'graphql' : 'rest'),
		signIn: signInOf(dialect, client),
		// In this contract, setting a patchset's status needs only the read permission.
		scopeSpelling: { prefixes: {}, names: dialect === 'document' ? { 'patches:write': 'patches:read' } : {} },
		webhookKey,
		isSample: true,
	};
}

function signInOf(dialect: string, { id: clientId, redirectPort }: SampleClient): ForgeInstance['signIn'] {
	switch (dialect) {
		case 'graphql':
			return { kind: 'secret', clientId, redirectPort };
		case 'field':
			return { kind: 'exchange', clientId, redirectPort };
		default:
			return { kind: 'pkce', clientId };
	}
}

function readAreas(value: unknown): Readonly<Record<Area, string>> | undefined {
	if (!isRecord(value)) {
		return undefined;
	}
	const [meta, todo, git, lists] = ['meta', 'todo', 'git', 'lists'].map((area) => {
		return ownAddress(textField(value, area));
	});
	return meta === undefined || todo === undefined || git === undefined || lists === undefined
		? undefined
		: { meta, todo, git, lists };
}

/** The sample forge runs on this machine; reject other addresses. */
function ownAddress(value: unknown): string | undefined {
	return typeof value === 'string' && /^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(value) ? value : undefined;
}

function readClient(value: unknown): SampleClient | undefined {
	const client = isRecord(value) ? value : {};
	const id = textField(client, 'id');
	const redirectPort = numberField(client, 'redirectPort');
	return id === undefined
		? undefined
		: { id, secret: new Token(textField(client, 'secret') ?? ''), redirectPort: redirectPort ?? 0 };
}

function readSmtp(value: unknown): RunningSample['smtp'] {
	const smtp = isRecord(value) ? value : {};
	const [port, domain] = [numberField(smtp, 'port'), textField(smtp, 'domain')];
	return port === undefined || domain === undefined ? undefined : { port, domain };
}

function readTokens(value: unknown): Readonly<Record<string, Token>> {
	return isRecord(value)
		? Object.fromEntries(
				Object.entries(value).flatMap(([user, token]) => (typeof token === 'string' ? [[user, new Token(token)]] : [])),
			)
		: {};
}
