import { problemOfStatus, unexpected, plainText, isWebPage, webPageOf } from '../../answers/failures.ts';
import { ForgeError, isForgeError, type FieldError, type Problem } from '../../port/forgeError.ts';
import type { ContentArea } from '../../port/instance.ts';
import { isNameable, type NamedRef } from '../../port/namedRef.ts';
import type { Scope } from '../../port/scope.ts';
import type { HttpAnswer } from '../../http/httpClient.ts';
import { errorsOfRefusal, type GraphqlError } from './answer.ts';
import type { Document, TypeField } from './document.ts';
import type { MissingGrants } from './grants.ts';

/** Context of a response. */
export interface ProblemContext {
	readonly area: ContentArea;
	readonly origin: string;
	readonly nowMs: number;
	/** A server may repeat the token in its response. Never show or log it from there. */
	readonly token: string;
}

/** Context of an operation's response. */
export interface OperationContext extends ProblemContext {
	readonly scope: Scope;
	readonly grants: MissingGrants;
}

/**
 * The problem by HTTP status (docs/protocol.md#graphql-at-the-door); `undefined` if the body decides. Older servers
 * send 403 with a body that is not JSON.
 */
export function problemByStatus(answer: HttpAnswer, context: ProblemContext): Problem | undefined {
	const { status } = answer;
	// Services respond with JSON or an empty body.
	if (isWebPage(answer) && [400, 401, 403, 422].includes(status)) {
		return webPageOf(context.origin);
	}
	switch (status) {
		case 200:
		case 422:
			return undefined;
		case 400:
			// A malformed token. Any other 400 would be our bug.
			return /authorization|authentication|token/i.test(new TextDecoder().decode(answer.body))
				? { kind: 'tokenRejected', area: context.area }
				: unexpected(status);
		case 401:
			return { kind: 'tokenRejected', area: context.area };
		case 403: {
			const suspended = errorsOfRefusal(answer, context.token)
				.map(({ message }) => message.replace(/^Authentication error:\s*/, ''))
				.find((message) => /^Account suspended\b/i.test(message));
			return suspended === undefined
				? { kind: 'tokenRejected', area: context.area }
				: // The token itself is valid (docs/protocol.md#barred-accounts).
					{ kind: 'notAllowed', reason: plainText(suspended, context.token) };
		}
		case 404:
		case 405:
		case 410:
			return { kind: 'notOffered' };
		default:
			return problemOfStatus(answer, context) ?? unexpected(status);
	}
}

/**
 * The problem of a failed download. A missing file is 404 or 400 "not found"; a forbidden one has an empty body
 * (docs/protocol.md#graphql-mailboxes).
 */
export function fileProblem(answer: HttpAnswer, context: ProblemContext): Problem | undefined {
	const { status, body } = answer;
	if (status === 404 || (status === 400 && /not found/i.test(new TextDecoder().decode(body)))) {
		return { kind: 'notFound' };
	}
	return problemByStatus(answer, context) ?? (body.byteLength === 0 ? { kind: 'notFound' } : undefined);
}

/** The missing field that an error names. */
export function missingField({ message }: GraphqlError): TypeField | undefined {
	const [, field, type] = /^Cannot query field "(\w+)" on type "(\w+)"/.exec(message) ?? [];
	return field === undefined || type === undefined ? undefined : { type, field };
}

/**
 * True if a retry without the optional fields may help. An error without a path may concern such a field if it reports
 * a missing or forbidden thing, or names the field's grant. Never true for a mutation.
 */
export function isOfDroppable(document: Document, errors: readonly GraphqlError[]): boolean {
	return (
		!document.isMutation &&
		document.without !== undefined &&
		errors.some((error) => {
			if (error.path !== undefined) {
				// Without the indexes: all items of a list have the same selection.
				return document.isDroppable(error.path.filter((part) => typeof part === 'string'));
			}
			const { droppableGrants: grants } = document;
			const meaning = meaningOf(error);
			return isWantOfGrant(error)
				? grants.includes(missingGrant.exec(error.message)?.[1] ?? '')
				: grants.length === 0 && (meaning === 'refused' || meaning === 'absent');
		})
	);
}

/** Messages of older or newer servers without the whole operation or its input type. */
const lacksOperation = /^Cannot query field "\w+" on type "(?:Query|Mutation)"|^Unknown type "\w+Input"/;

/** The class of an error. */
type Meaning = 'ours' | 'theirs' | 'refused' | 'absent' | 'invalid';

const meaningOfCode: Readonly<Record<string, Meaning>> = {
	GRAPHQL_VALIDATION_FAILED: 'ours',
	GRAPHQL_PARSE_FAILED: 'ours',
	COMPLEXITY_LIMIT_EXCEEDED: 'ours',
	ERR_ACCESS_DENIED: 'refused',
	ERR_NOT_FOUND: 'absent',
};

/** A mutation of a missing or forbidden thing; the server doesn't distinguish these cases. */
const nullRefused = /^the requested element is null which the schema does not allow$/;

/** The database's message for a text that is too long, with the limit in characters. */
const tooLong = /^(?:pq|ERROR): value too long for type character varying\((\d+)\)/;

/** Older servers send no codes. Messages show server internals that don't help the user. */
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
/** The same without the grant's name. */
const someGrant = /^Access denied for invalid auth method/;

export function isWantOfGrant({ message }: GraphqlError): boolean {
	return missingGrant.test(message) || someGrant.test(message);
}

/**
 * True if an error of a mutation is about a field of its result: the server reads it after the write
 * (docs/protocol.md#results-of-mutations). A path can also lead into the arguments; then the server wrote nothing.
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

/** The problem of a failed operation, from its first meaningful error (docs/protocol.md#graphql-errors). */
export function problemOfErrors(errors: readonly GraphqlError[], context: OperationContext): ForgeError {
	for (const { code, redirect: [owner = '', name = '', ...more] = [] } of errors) {
		if (code === 'ERR_REDIRECT' && more.length === 0 && isNameable({ owner, name })) {
			return new ForgeError({ kind: 'notFound' }, { cause: new Renamed({ owner, name }) });
		}
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
	// The server never starts an operation that it can't validate.
	const isUnsent = told !== undefined && meaningOf(told) === 'ours';
	return new ForgeError(problem, { cause: new Told(told), isUnsent });
}

/** Cause of a refusal: the server's own error. */
class Told extends Error {
	/** The field of the document, by its alias. */
	readonly field: string | undefined;

	constructor(error: GraphqlError | undefined) {
		super(error?.message ?? 'no error was told');
		const [field] = error?.path ?? [];
		this.field = typeof field === 'string' ? field : undefined;
	}
}

/** The label or user that a mutation doesn't find. `field`: the mutation's alias, if the server names it. */
export function missingPartIn(error: unknown) {
	const told = isForgeError(error) && error.problem.kind === 'notFound' ? error.cause : undefined;
	const [, word] = told instanceof Told ? (/\b(label|user)\b/i.exec(told.message) ?? []) : [];
	const of =
		word === undefined ? undefined : word.toLowerCase() === 'label' ? ('labels' as const) : ('assignees' as const);
	return of && told instanceof Told ? { of, field: told.field } : undefined;
}

/** Field names that differ between server and extension. */
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
		case 'invalid': {
			const field = error.field === undefined ? undefined : (ourFields[error.field] ?? plainText(error.field, token));
			const most = tooLong.exec(message)?.[1];
			const own: FieldError =
				most === undefined
					? { field, reason: plainText(message, token) }
					: { field, reason: 'textTooLong', own: 'textTooLong', about: most };
			return { kind: 'invalid', errors: [own] };
		}
	}
}

/** Cause of a `notFound` error: the server reported a new name. */
class Renamed extends Error {
	readonly to: NamedRef;

	constructor(to: NamedRef) {
		super('It has another name by now');
		this.to = to;
	}
}

/** The new name, if a rename caused the error. */
export function newNameIn(error: unknown): NamedRef | undefined {
	return isForgeError(error) && error.cause instanceof Renamed ? error.cause.to : undefined;
}

/** Messages for a write to another user's tracker. */
const notOwn = /^(?:Not found|No tracker by ID \d+ found for this user)$/;

/** True for an error that doesn't distinguish a missing thing from a forbidden one. */
export function saysEither(error: unknown): boolean {
	const words = isForgeError(error) && error.cause instanceof Told ? error.cause.message : '';
	return nullRefused.test(words) || notOwn.test(words);
}
