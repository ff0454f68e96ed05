import { isObject, Misread, nameOf } from '../../answers/decoding.ts';
import { workerBytes, workerPieces, readWorkerValue, type WorkerWays } from '../../answers/workerJson.ts';
import { withoutToken } from '../../answers/failures.ts';
import type { HttpAnswer } from '../../http/httpClient.ts';

/** One GraphQL error, decoded leniently. */
export interface GraphqlError {
	/** Server text. Many messages are internals, so callers classify them first (docs/protocol.md#graphql-errors). */
	readonly message: string;
	/** `ERR_NOT_FOUND`, `GRAPHQL_VALIDATION_FAILED` …; older servers send none. */
	readonly code: string | undefined;
	/** The invalid input field. */
	readonly field: string | undefined;
	/** The new name of a renamed thing, owner first. */
	readonly redirect: readonly string[] | undefined;
	/** Path in `data`: field names and list indexes; `undefined` if the error has none. */
	readonly path: readonly (string | number)[] | undefined;
}

/** A response before decoding. `data` is `null` if the server rejected the whole operation. */
export interface GraphqlAnswer {
	readonly data: unknown;
	readonly errors: readonly GraphqlError[];
}

/** Later errors add nothing. */
const mostErrors = 50;
const longestMessage = 1000;

/** Parses a JSON body of any status, and a large one in a worker. Throws `Misread`, or the signal's reason. */
export function readAnswer(
	{ body }: HttpAnswer,
	token: string,
	ways: WorkerWays,
): GraphqlAnswer | Promise<GraphqlAnswer> {
	const pieces = workerPieces(body, ways);
	return pieces ? readWorkerValue(pieces).then((json) => answerIn(json, token)) : answerIn(parsed(body), token);
}

/**
 * The errors of a rejected request. Empty if the body is not JSON (older servers write it twice) or too large for an
 * error.
 */
export function errorsOfRefusal({ body }: HttpAnswer, token: string): readonly GraphqlError[] {
	try {
		return body.byteLength > workerBytes ? [] : answerIn(parsed(body), token).errors;
	} catch {
		return [];
	}
}

function answerIn(json: unknown, token: string): GraphqlAnswer {
	if (!isObject(json) || Array.isArray(json)) {
		throw new Misread('', `expected an object, found ${nameOf(json)}`);
	}
	const errors: readonly unknown[] = Array.isArray(json['errors']) ? json['errors'] : [];
	return {
		data: json['data'] ?? null,
		errors: errors.slice(0, mostErrors).map((error) => {
			const extensions = isObject(error) ? error['extensions'] : undefined;
			const redirect = isObject(extensions) ? extensions['redirect'] : undefined;
			const path = isObject(error) && Array.isArray(error['path']) ? error['path'].filter(isStep) : [];
			return {
				message: withoutToken((textOf(error, 'message') ?? '').slice(0, longestMessage), token),
				code: textOf(extensions, 'code'),
				field: textOf(extensions, 'field'),
				path: path.length === 0 ? undefined : path,
				redirect: Array.isArray(redirect) ? redirect.filter((part) => typeof part === 'string') : undefined,
			};
		}),
	};
}

function parsed(body: Uint8Array): unknown {
	try {
		return JSON.parse(new TextDecoder().decode(body));
	} catch {
		// The parser's message would quote the response.
		throw new Misread('', 'the answer is no JSON or ends too early');
	}
}

function isStep(part: unknown): part is string | number {
	return typeof part === 'string' || typeof part === 'number';
}

function textOf(value: unknown, name: string): string | undefined {
	const text = isObject(value) ? value[name] : undefined;
	return typeof text === 'string' ? text : undefined;
}
