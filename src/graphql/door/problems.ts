import { redirectOf, unexpected } from '../../answers/failures.ts';
import { plainText } from '../../answers/plainText.ts';
import { isWebPage } from '../../answers/webPage.ts';
import { ForgeError, isForgeError, type FieldError, type Problem } from '../../forge/forgeError.ts';
import type { ContentArea } from '../../forge/instance.ts';
import { isNameable, type NamedRef } from '../../forge/namedRef.ts';
import type { Scope } from '../../forge/scope.ts';
import type { HttpAnswer } from '../../http/httpClient.ts';
import { errorsOfRefusal, type GraphqlError } from './answer.ts';
import type { Document, Droppable, TypeField } from './document.ts';
import type { MissingGrants } from './grants.ts';

/** What is needed to judge an answer. */
export interface ProblemContext {
	readonly area: ContentArea;
	readonly origin: string;
	readonly nowMs: number;
	/** A server may repeat it in its answer, and it must not be shown or logged from there. */
	readonly token: string;
}

/** The same of the answer to an operation. */
export interface OperationContext extends ProblemContext {
	readonly scope: Scope;
	readonly grants: MissingGrants;
}

/**
 * The problem that a status alone tells (docs/protocol.md#graphql-at-the-door); `undefined` where the body says more. Older
 * servers send a body with 403 that is no JSON, which says nothing then.
 */
export function problemByStatus(answer: HttpAnswer, context: ProblemContext): Problem | undefined {
	const { status, retryAfterMs } = answer;
	if (status >= 300 && status < 400) {
		return redirectOf(answer, context.origin, context.token);
	}
	if (status >= 500) {
		return { kind: 'serverError', status };
	}
	// Services answer in JSON, or without a body: what stands before them keeps programs out, whatever their token.
	if ((status === 400 || status === 401 || status === 403) && isWebPage(answer)) {
		return { kind: 'notAllowed' };
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
			return { kind: 'tokenRejected', area: context.area };
		case 403:
			return suspended(answer, context) ?? { kind: 'tokenRejected', area: context.area };
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

/** An account that may do nothing, with the words for its owner (docs/protocol.md#barred-accounts). The token is a good one. */
function suspended(answer: HttpAnswer, { token }: ProblemContext): Problem | undefined {
	const said = errorsOfRefusal(answer, token).map(({ message }) => message.replace(/^Authentication error:\s*/, ''));
	const words = said.find((message) => /^Account suspended\b/i.test(message));
	return words === undefined ? undefined : { kind: 'notAllowed', reason: plainText(words, token) };
}

/**
 * The problem of a file that did not come. What is not there is 404 or a 400 that says so, and of what is not for us no
 * bytes come (docs/protocol.md#graphql-mailboxes).
 */
export function fileProblem(answer: HttpAnswer, context: ProblemContext): Problem | undefined {
	const { status, body } = answer;
	if (status === 404 || (status === 400 && /not found/i.test(new TextDecoder().decode(body)))) {
		return { kind: 'notFound' };
	}
	return problemByStatus(answer, context) ?? (body.byteLength === 0 ? { kind: 'notFound' } : undefined);
}

/** The field that a server lacks, where an error says so. */
export function lackedField({ message }: GraphqlError): TypeField | undefined {
	const [, field, type] = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(message) ?? [];
	return field === undefined || type === undefined ? undefined : { type, field };
}

/**
 * Whether an answer failed because of a thing that the question can do without. What names no place may be about such a
 * thing where it says that something is not there or not for us, or names the grant of such a thing. A change is never asked
 * for a second time.
 */
export function isOfDroppable({ isMutation, droppable }: Document, errors: readonly GraphqlError[]): boolean {
	return (
		!isMutation &&
		droppable !== undefined &&
		errors.some((error) =>
			error.path === undefined ? mayBeOf(droppable, error) : droppable.holds(namesOf(error.path)),
		)
	);
}

/** All things of a list are asked for in the same way. */
function namesOf(path: readonly (string | number)[]): readonly string[] {
	return path.filter((part) => typeof part === 'string');
}

function mayBeOf({ grants }: Droppable, error: GraphqlError): boolean {
	const meaning = meaningOf(error);
	return isWantOfGrant(error)
		? grants.includes(missingGrant.exec(error.message)?.[1] ?? '')
		: grants.length === 0 && (meaning === 'refused' || meaning === 'absent');
}

/** What a server of another age says of a whole operation, or of what it takes. */
const lacksOperation = /^Cannot query field "\w+" on type "(?:Query|Mutation)"|^Unknown type "\w+Input"/;

/** What an error comes to, before anything is said of it. */
type Meaning = 'ours' | 'theirs' | 'refused' | 'absent' | 'invalid';

const meaningOfCode: Readonly<Record<string, Meaning>> = {
	GRAPHQL_VALIDATION_FAILED: 'ours',
	GRAPHQL_PARSE_FAILED: 'ours',
	COMPLEXITY_LIMIT_EXCEEDED: 'ours',
	ERR_ACCESS_DENIED: 'refused',
	ERR_NOT_FOUND: 'absent',
};

/** What a mutation of something that is not there, or not ours, comes to, and nobody can tell which. */
const nullRefused = /^the requested element is null which the schema does not allow$/;

/** The database's words for a text that is too long, with the most characters that it takes. */
const tooLong = /^(?:pq|ERROR): value too long for type character varying\((\d+)\)/;

/** Older servers send no codes, and all of them words of their inside, which help nobody. */
const meaningOfWords: readonly (readonly [words: RegExp, meaning: Meaning])[] = [
	[tooLong, 'invalid'],
	[/^(?:pq|sql|pgx?|ERROR): |^internal system error$|^Temporary error|context (?:deadline|canceled)/i, 'theirs'],
	[/^(?:Access denied|Private auth|Internal auth)/i, 'refused'],
	[/^(?:No such |No [\w ]+ by |Invalid RID)|not found$/i, 'absent'],
	[nullRefused, 'absent'],
];

function meaningOf({ message, code, field }: GraphqlError): Meaning {
	const byWords = meaningOfWords.find(([words]) => words.test(message))?.[1];
	const byCode = code === undefined ? undefined : meaningOfCode[code];
	return byCode ?? (field === undefined || byWords === 'theirs' ? (byWords ?? 'invalid') : 'invalid');
}

const missingGrant = /missing (\w+:R[OW]) grant/;
/** The same, where a server does not say which. */
const someGrant = /^Access denied for invalid auth method/;

export function isWantOfGrant({ message }: GraphqlError): boolean {
	return missingGrant.test(message) || someGrant.test(message);
}

/**
 * True if an error of a mutation is about a field of its result, which the server reads after the write
 * (docs/protocol.md#results-of-mutations). A path can lead into the arguments as well, and then nothing was written.
 */
export function isAboutResult({ isMutation, text }: Document, errors: readonly GraphqlError[]): boolean {
	return (
		isMutation &&
		errors.some((error) => {
			const inside = error.path?.[1];
			return inside !== undefined && !text.includes(`${inside}:`) && meaningOf(error) !== 'ours';
		})
	);
}

/** The problem that the errors of an answer tell, the first one that tells any (docs/protocol.md#graphql-errors). */
export function problemOfErrors(errors: readonly GraphqlError[], context: OperationContext): ForgeError {
	const moved = errors.flatMap(({ code, redirect }) => (code === 'ERR_REDIRECT' ? renamedTo(redirect) : []))[0];
	if (moved) {
		return new ForgeError({ kind: 'notFound' }, { cause: moved });
	}
	const told = errors.find(isWantOfGrant) ?? errors.find(({ message }) => !nullRefused.test(message)) ?? errors[0];
	const problem: Problem =
		told === undefined
			? (context.grants.ofToken(context.token, context) ?? {
					kind: 'notUnderstood',
					where: 'the answer',
					why: 'it holds neither data nor errors',
				})
			: problemOfError(told, context);
	// What is not understood is not begun with.
	const isUnsent = told !== undefined && meaningOf(told) === 'ours';
	return new ForgeError(problem, { cause: new Error(told?.message ?? 'no error was told'), isUnsent });
}

/** Parts of things that are called otherwise there. */
const ourFields: Readonly<Record<string, string>> = { subject: 'title', body: 'description', text: 'comment' };

function problemOfError(error: GraphqlError, context: OperationContext): Problem {
	const { message, code = 'no code' } = error;
	const { token, grants } = context;
	const grant = missingGrant.exec(message)?.[1];
	const lacked = grant === undefined ? undefined : grants.named(grant, context);
	const missing = lacked ?? (someGrant.test(message) ? grants.unnamed(token, context) : undefined);
	if (missing) {
		return missing;
	}
	switch (meaningOf(error)) {
		case 'ours':
			if (lacksOperation.test(message)) {
				return { kind: 'notOffered' };
			}
			return { kind: 'notUnderstood', where: 'the question', why: code };
		case 'theirs':
			return { kind: 'serverError', status: undefined };
		case 'refused':
			return { kind: 'notAllowed' };
		case 'absent':
			return { kind: 'notFound' };
		case 'invalid':
			return { kind: 'invalid', errors: [fieldErrorOf(error, token)] };
	}
}

function fieldErrorOf({ message, field }: GraphqlError, token: string): FieldError {
	const of = field === undefined ? undefined : (ourFields[field] ?? plainText(field, token));
	const most = tooLong.exec(message)?.[1];
	return most === undefined
		? { field: of, reason: plainText(message, token) }
		: { field: of, reason: 'textTooLong', own: 'textTooLong', about: most };
}

/** Why something was not found by its name: it has another one by now. */
class Renamed extends Error {
	readonly to: NamedRef;

	constructor(to: NamedRef) {
		super('It has another name by now');
		this.to = to;
	}
}

function renamedTo([owner = '', name = '', ...more]: readonly string[] = []): readonly Renamed[] {
	const to = { owner, name };
	return more.length === 0 && isNameable(to) ? [new Renamed(to)] : [];
}

/** The name that a thing has by now, where that is why it was not found. */
export function newNameIn(error: unknown): NamedRef | undefined {
	return isForgeError(error) && error.cause instanceof Renamed ? error.cause.to : undefined;
}

/** What others' trackers are to servers, whatever is to be done to them. */
const notOwn = /^(?:Not found|No tracker by ID \d+ found for this user)$/;

/** True for a refusal that means that something is missing, or that it is not allowed. */
export function saysEither(error: unknown): boolean {
	const words = isForgeError(error) && error.cause instanceof Error ? error.cause.message : '';
	return nullRefused.test(words) || notOwn.test(words);
}
