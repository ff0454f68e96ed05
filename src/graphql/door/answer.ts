import { isObject, Misread, nameOf } from '../../answers/decoding.ts';
import { farBytes, farPieces, readFarValue, type FarWays } from '../../answers/farAnswers.ts';
import { withoutToken } from '../../answers/plainText.ts';
import type { HttpAnswer } from '../../http/httpClient.ts';

/** One error of an answer, as far as it can be read. */
export interface GraphqlError {
	/** The server's words. Many are of its inside, and none are shown unread (docs/protocol.md#graphql-errors). */
	readonly message: string;
	/** `ERR_NOT_FOUND`, `GRAPHQL_VALIDATION_FAILED` …; older servers send none. */
	readonly code: string | undefined;
	/** What of the input it is about. */
	readonly field: string | undefined;
	/** The new name of what was asked for by an old one, owner first. */
	readonly redirect: readonly string[] | undefined;
	/** The place in the answer, as names of fields and numbers of entries; `undefined` where it does not say. */
	readonly path: readonly (string | number)[] | undefined;
}

/** What came, before anything of it is believed. `data` is `null` where a refusal took all of it. */
export interface GraphqlAnswer {
	readonly data: unknown;
	readonly errors: readonly GraphqlError[];
}

/** More than these say nothing new. */
const mostErrors = 50;
const longestMessage = 1000;

/**
 * Reads an answer with a body of JSON, whatever its status: at once, or elsewhere where it is large. Throws `Misread`, or the
 * signal's reason.
 */
export function readAnswer({ body }: HttpAnswer, token: string, ways: FarWays): GraphqlAnswer | Promise<GraphqlAnswer> {
	const pieces = farPieces(body, ways);
	return pieces ? readFarValue(pieces).then((json) => answerIn(json, token)) : answerIn(parsed(body), token);
}

/**
 * The errors of a refusal. None where the body cannot be read, as that of older servers, who write it twice, or is so long
 * that it is something else.
 */
export function errorsOfRefusal({ body }: HttpAnswer, token: string): readonly GraphqlError[] {
	try {
		return body.byteLength > farBytes ? [] : answerIn(parsed(body), token).errors;
	} catch {
		return [];
	}
}

function answerIn(json: unknown, token: string): GraphqlAnswer {
	if (!isObject(json) || Array.isArray(json)) {
		throw new Misread('', `expected an object, found ${nameOf(json)}`);
	}
	const errors = json['errors'];
	return { data: json['data'] ?? null, errors: Array.isArray(errors) ? errorsOf(errors, token) : [] };
}

function parsed(body: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder().decode(body));
	} catch {
		// The parser's own words would quote the answer.
		throw new Misread('', 'the answer is no JSON or ends too early');
	}
}

function errorsOf(errors: readonly unknown[], token: string): readonly GraphqlError[] {
	return errors.slice(0, mostErrors).map((error) => {
		const extensions = isObject(error) ? error['extensions'] : undefined;
		const redirect = isObject(extensions) ? extensions['redirect'] : undefined;
		return {
			message: withoutToken(textOf(error, 'message') ?? '', token).slice(0, longestMessage),
			code: textOf(extensions, 'code'),
			field: textOf(extensions, 'field'),
			path: pathOf(error),
			redirect: Array.isArray(redirect) ? redirect.filter((part) => typeof part === 'string') : undefined,
		};
	});
}

function pathOf(error: unknown): GraphqlError['path'] {
	const path = isObject(error) ? error['path'] : undefined;
	const steps: NonNullable<GraphqlError['path']> = Array.isArray(path) ? path.filter(isStep) : [];
	return steps.length === 0 ? undefined : steps;
}

function isStep(part: unknown): part is string | number {
	return typeof part === 'string' || typeof part === 'number';
}

function textOf(value: unknown, name: string): string | undefined {
	const text = isObject(value) ? value[name] : undefined;
	return typeof text === 'string' ? text : undefined;
}
