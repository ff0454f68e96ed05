import { ForgeError, type FieldError, type Problem } from '../port/forgeError.ts';
import type { Area } from '../port/instance.ts';
import { scopes } from '../port/scope.ts';
import type { HttpAnswer } from '../http/httpClient.ts';
import { problemOfStatus, unexpected, plainText, isWebPage } from '../answers/failures.ts';
import { isObject } from '../answers/decoding.ts';

export interface ProblemContext {
	readonly area: Area;
	readonly origin: string;
	readonly nowMs: number;
	/** Scope names with another spelling on this server, such as `emails` → `email`. */
	readonly scopeNames: Readonly<Record<string, string>>;
	/** The request's token. The server may echo it, so it must be removed before showing or logging. */
	readonly token?: string | undefined;
}

const mostReasons = 20;

/** The error for a failure status (docs/protocol.md#error-bodies). */
export function problemOf(answer: HttpAnswer, context: ProblemContext): ForgeError {
	return new ForgeError(problemByStatus(answer, context));
}

function problemByStatus(answer: HttpAnswer, context: ProblemContext): Problem {
	const { status } = answer;
	const { area, scopeNames, token } = context;
	switch (status) {
		case 401: {
			// Only the body shows that a token is bad: web pages with 401 also result from a missing permission.
			const errors = fieldErrors(answer, token);
			const speaksOfToken = errors.some(({ reason }) => /token|authorization|authenticat/i.test(reason));
			return speaksOfToken ? { kind: 'tokenRejected', area } : notAllowed(errors);
		}
		case 403: {
			const errors = fieldErrors(answer, token);
			for (const { reason } of errors) {
				const asWritten = /\(needs ([^\s()]{1,200})\)/.exec(reason)?.[1];
				if (asWritten !== undefined) {
					// `aaaa000000000003/trackers:write` → `trackers:write`: the prefix names the service.
					const [name = '', access = 'read'] = asWritten.slice(asWritten.lastIndexOf('/') + 1).split(':');
					const ours = Object.entries(scopeNames).find(([, theirs]) => theirs === name)?.[0] ?? name;
					return { kind: 'missingScope', scope: scopes.find((scope) => scope === `${ours}:${access}`), asWritten };
				}
			}
			return notAllowed(errors);
		}
		case 404:
		case 410:
			return { kind: 'notFound' };
		case 405:
			return { kind: 'notOffered' };
		default: {
			const isRefusal = status >= 400 && status < 500;
			return problemOfStatus(answer, context) ?? (isRefusal ? refused(answer, context) : unexpected(status));
		}
	}
}

/** Repeats only the status. */
const saysNothing = /^(?:40[13])?[\s:]*(?:forbidden|unauthorized|(?:permission|access) denied)?[.!]?$/i;

function notAllowed(errors: readonly FieldError[]): Problem {
	const told = errors.find(({ reason }) => !saysNothing.test(reason));
	return told === undefined ? { kind: 'notAllowed' } : { kind: 'notAllowed', reason: told.reason };
}

function refused(answer: HttpAnswer, { area, token }: ProblemContext): Problem {
	const errors = fieldErrors(answer, token);
	if (answer.status === 400 && errors.some(({ reason }) => /invalid or expired oauth token/i.test(reason))) {
		return { kind: 'tokenRejected', area };
	}
	const none: FieldError = { field: undefined, reason: `no reason, status ${answer.status}`, own: 'noneGiven' };
	return { kind: 'invalid', errors: errors.length > 0 ? errors : [none] };
}

/** Errors of an error body (docs/protocol.md#error-bodies); empty for other bodies. */
function fieldErrors(answer: HttpAnswer, token: string | undefined): readonly FieldError[] {
	if (isWebPage(answer)) {
		return [];
	}
	let errors: unknown;
	try {
		const json: unknown = JSON.parse(new TextDecoder().decode(answer.body));
		errors = isObject(json) ? json['errors'] : undefined;
	} catch {
		return [];
	}
	const entries: readonly unknown[] = Array.isArray(errors) ? errors : [];
	return entries.slice(0, mostReasons).flatMap((entry) => {
		const reason = isObject(entry) ? entry['reason'] : undefined;
		const field = isObject(entry) ? entry['field'] : undefined;
		return typeof reason === 'string'
			? [{ field: typeof field === 'string' ? plainText(field, token) : undefined, reason: plainText(reason, token) }]
			: [];
	});
}
