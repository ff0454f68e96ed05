import { redirectOf, unexpected } from '../../answers/failures.ts';
import { plainText } from '../../answers/plainText.ts';
import { ForgeError, isForgeError, type Problem } from '../../forge/forgeError.ts';
import type { ContentArea } from '../../forge/instance.ts';
import type { HttpAnswer } from '../../http/httpClient.ts';
import type { GraphqlError } from './answer.ts';
import type { TypeField } from './document.ts';
import { scopeOfGrant } from './grants.ts';

/** What is needed to judge an answer. */
export interface ProblemContext {
	readonly area: ContentArea;
	readonly origin: string;
	readonly nowMs: number;
	/** A server may repeat it in its answer, and it must not be shown or logged from there. */
	readonly token: string;
}

/**
 * The problem that a status alone tells (docs/protocol.md#graphql-statuses); `undefined` where the body says more. Older
 * servers send a body with 403 that is no JSON, so that one is not read.
 */
export function problemByStatus(answer: HttpAnswer, context: ProblemContext): Problem | undefined {
	const { status, retryAfterMs } = answer;
	if (status >= 300 && status < 400) {
		return redirectOf(answer, context.origin, context.token);
	}
	if (status >= 500) {
		return { kind: 'serverError', status };
	}
	switch (status) {
		case 200:
		case 422:
			return undefined;
		case 400:
			// The header of a token that no server of this generation makes; every other mistake would be ours.
			return /authorization|authentication|token/i.test(new TextDecoder().decode(answer.body))
				? { kind: 'tokenRejected', area: context.area }
				: unexpected(status);
		case 401:
		case 403:
			return { kind: 'tokenRejected', area: context.area };
		case 404:
		case 405:
		case 410:
			return { kind: 'notOffered' };
		case 407:
			return { kind: 'unreachable', reason: 'proxy', host: new URL(context.origin).host };
		case 429:
			return { kind: 'rateLimited', untilMs: retryAfterMs === undefined ? undefined : context.nowMs + retryAfterMs };
		default:
			return unexpected(status);
	}
}

/** The field that a server lacks, where an error says so. */
export function lackedField({ message }: GraphqlError): TypeField | undefined {
	const [, field, type] = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(message) ?? [];
	return field === undefined || type === undefined ? undefined : { type, field };
}

/** Words of the server's inside, which help nobody. */
const ofTheInside = /^(?:pq|sql|pgx?|ERROR): |^internal system error$|^Temporary error|context (?:deadline|canceled)/i;
/** As later servers say it, and as earlier ones do. */
const missingGrant = /missing (\w+):(RO|RW) grant/;
const isRefusal = /^(?:Access denied|Private auth|Internal auth)/i;
const isAbsence =
	/^(?:Not found|No such |No \w+ by |(?:reference|object|Label|Ticket|Tracker|User) not found|Invalid RID)|not found$/i;
/** What a mutation of something that is not there, or not ours, comes to, and nobody can tell which. */
const nullRefused = /^the requested element is null which the schema does not allow$/;

/** The problem that the errors of an answer tell, the first one that tells any (docs/protocol.md#graphql-errors). */
export function problemOfErrors(errors: readonly GraphqlError[], context: ProblemContext): ForgeError {
	const told = errors.find(({ message }) => !nullRefused.test(message)) ?? errors[0];
	const problem: Problem =
		told === undefined
			? { kind: 'notUnderstood', where: 'the answer', why: 'it holds neither data nor errors' }
			: problemOfError(told, context);
	return new ForgeError(problem, { cause: new Error(told?.message ?? 'no error was told') });
}

function problemOfError({ message, code, field }: GraphqlError, { area, token }: ProblemContext): Problem {
	const [, grant, access] = missingGrant.exec(message) ?? [];
	if (grant !== undefined && access !== undefined) {
		return { kind: 'missingScope', scope: scopeOfGrant(area, `${grant}:${access}`), asWritten: `${grant}:${access}` };
	}
	if (code === 'GRAPHQL_VALIDATION_FAILED' || code === 'GRAPHQL_PARSE_FAILED' || code === 'COMPLEXITY_LIMIT_EXCEEDED') {
		return { kind: 'notUnderstood', where: 'the question', why: code };
	}
	if (ofTheInside.test(message)) {
		return { kind: 'serverError', status: 200 };
	}
	if (field !== undefined) {
		return { kind: 'invalid', errors: [{ field: plainText(field, token), reason: plainText(message, token) }] };
	}
	if (code === 'ERR_NOT_FOUND' || isAbsence.test(message) || nullRefused.test(message)) {
		return { kind: 'notFound' };
	}
	if (code === 'ERR_ACCESS_DENIED' || isRefusal.test(message)) {
		return { kind: 'notAllowed' };
	}
	return { kind: 'invalid', errors: [{ field: undefined, reason: plainText(message, token) }] };
}

/** True for a refusal that means that something is missing, or that it is not allowed. */
export function saysEither(error: unknown): boolean {
	return isForgeError(error) && error.cause instanceof Error && nullRefused.test(error.cause.message);
}
