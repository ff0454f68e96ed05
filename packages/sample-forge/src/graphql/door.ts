import { permits } from '../identity/scopes.ts';
import type { Tokens } from '../identity/tokens.ts';
import { plainText, Refusal, ProcessEnds } from '../shared/answers.ts';
import {
	type ServiceName,
	type Call,
	type Context,
	type Grant,
	type User,
	type Answer,
	type OpenRoute,
	open,
} from '../shared/area.ts';
import { isRecord } from '../shared/body.ts';
import {
	scopeOfService,
	FieldError,
	type FieldNeeds,
	scopesOfService,
	type AnswerError,
	type GraphqlSchema,
	type Outcome,
	type Question,
} from './engine.ts';
import { goJson } from './shapes.ts';
import { check } from '../shared/checks.ts';

/** User and token of a request. */
export interface Caller {
	readonly user: User;
	readonly grant: Grant;
}

/** Finds the caller, or throws a refusal (docs/protocol.md#graphql-at-the-door). */
function readCaller(context: Context, tokens: Tokens, call: Call): Caller {
	const token = readToken(call.headers.authorization ?? '', context.dialect.graphql === '2023');
	const grant = tokens.check(call.area, token);
	const user = grant === undefined ? undefined : context.users.byName(grant.userName);
	if (grant === undefined || user === undefined) {
		throw refusal(403, 'Invalid or expired OAuth 2.0 bearer token');
	}
	if (user.barred !== null) {
		throw refusal(403, `Account suspended with the following notice: ${user.barred}\nContact support`);
	}
	user.seenIn.add(call.area);
	return { user, grant };
}

function readToken(header: string, old: boolean): string {
	if (header === '') {
		throw refusal(401, "Authorization header is required. Expected 'Authorization: Bearer [token]'");
	}
	const [, scheme = '', token = ''] = /^(\S*) (.*)$/.exec(header) ?? [];
	check(scheme.toLowerCase() === 'bearer', () => refusal(400, 'Invalid Authorization header'));
	check(!/^[0-9a-f]{32}$/.test(token), () => refusal(403, 'Invalid or expired OAuth token', old ? 2 : 1));
	check(/^[\w+/-]{33,}$/.test(token), () => refusal(400, 'Invalid OAuth bearer token'));
	return token;
}

/** Throws if the token lacks the grant of a field. */
export function guardOf({ dialect }: Context, area: ServiceName, { grant }: Caller): (needs: FieldNeeds) => void {
	return ({ access, personal }) => {
		if (personal && grant.clientId !== null) {
			throw new FieldError('Private auth access denied');
		}
		if (access !== null && !permits(dialect, grant.scopes, scopeOfService(area, access.scope, access.kind))) {
			throw new FieldError(`Access denied, missing ${access.scope}:${access.kind} grant`);
		}
	};
}

/** `times`: services of 2023 write one refusal twice. */
function refusal(status: number, reason: string, times: 1 | 2 = 1): Refusal {
	const body = goJson({ errors: [{ message: `Authentication error: ${reason}` }] });
	return new Refusal({ status, headers: { 'Content-Type': 'application/json' }, body: body.repeat(times) });
}

/** Schema, fields and files of one service. */
export interface GraphqlService {
	readonly area: ServiceName;
	readonly schema: GraphqlSchema;
	/** Root fields for a caller. `hasCrashed`: a field ended the process (docs/protocol.md#one-opening-field). */
	readonly roots: (caller: Caller) => Pick<Question, 'query' | 'mutation'> & { readonly hasCrashed?: () => boolean };
	/** Files below `/query`, for callers with any token. */
	readonly files?: (
		call: Pick<Call, 'path' | 'query'>,
		caller: Caller,
	) => Answer | undefined | Promise<Answer | undefined>;
}

/** Maximum cost of a document in observed services. */
export const mostPoints = 250;

/** Time from a crash to the restart. */
const restartMs = 50;

/** A proxy's answer while its service is down. */
const badGateway: Answer = plainText(502, 'Bad gateway\n');

/** Routes of a GraphQL service (docs/protocol.md#graphql-at-the-door). */
export function graphqlDoor(context: Context, tokens: Tokens, service: GraphqlService): readonly OpenRoute[] {
	const { schema } = service;
	let downUntilMs = 0;
	const door = async (call: Call): Promise<Answer> => {
		check(context.nowMs() >= downUntilMs, () => new Refusal(badGateway));
		const caller = readCaller(context, tokens, call);
		const asked = call.method === 'GET' ? fromAddress(call) : fromBody(call);
		const guard = guardOf(context, service.area, caller);
		const { hasCrashed, ...roots } = service.roots(caller);
		const answer = await ask(schema, { ...asked, ...roots, guard, mostPoints });
		if (hasCrashed?.() === true) {
			downUntilMs = context.nowMs() + restartMs;
			throw new ProcessEnds(`Two fields open one repository in ${asked.document}`, badGateway);
		}
		return answer;
	};
	return [
		open('GET', '/query/api-meta.json', () => send(200, { scopes: scopesOfService(service.area) })),
		open('POST', '/query', door),
		open('GET', '/query', door),
		open('GET', '/query/:rest*', async (call) => {
			const caller = readCaller(context, tokens, call);
			return (await service.files?.(call, caller)) ?? plainText(404, '404 page not found\n');
		}),
	];
}

type Asked = Pick<Question, 'document' | 'variables' | 'operationName'>;

async function ask(schema: GraphqlSchema, question: Question): Promise<Answer> {
	const outcome: Outcome = await schema.run(question);
	switch (outcome.kind) {
		case 'refused': {
			return refuse(422, outcome.errors).answer;
		}
		case 'answered': {
			const { data, errors } = outcome;
			return send(200, errors.length === 0 ? { data } : { errors, data });
		}
		case 'ends': {
			throw new ProcessEnds(`A number above 2^31 - 1 in ${question.document}`);
		}
	}
}

function fromBody(call: Call): Asked {
	const [type = ''] = (call.headers['content-type'] ?? '').split(';');
	if (type.trim().toLowerCase() !== 'application/json') {
		const errors: readonly AnswerError[] = [{ message: 'transport not supported' }];
		throw new Refusal(plainText(400, goJson({ errors, data: null })));
	}
	const sent = parseJson(Buffer.from(call.body.bytes).toString('utf8'));
	check(isRecord(sent), () => refuse(400, [{ message: 'json request body could not be decoded' }]));
	return readAsked(sent['query'], sent['variables'], sent['operationName']);
}

function fromAddress({ query }: Call): Asked {
	const asked = readAsked(
		query.get('query'),
		parseJson(query.get('variables') ?? 'null'),
		query.get('operationName') ?? undefined,
	);
	if (/^\s*mutation\b/.test(asked.document)) {
		throw refuse(406, [{ message: 'GET requests only allow query operations' }]);
	}
	return asked;
}

function readAsked(document: unknown, variables: unknown, operationName: unknown): Asked {
	return {
		document: typeof document === 'string' ? document : '',
		variables: isRecord(variables) ? variables : {},
		operationName: typeof operationName === 'string' && operationName !== '' ? operationName : undefined,
	};
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function refuse(status: number, errors: readonly AnswerError[]): Refusal {
	return new Refusal(send(status, { errors, data: null }));
}

function send(status: number, value: unknown): Answer {
	return { status, headers: { 'Content-Type': 'application/json' }, body: goJson(value) };
}
