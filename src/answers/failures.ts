import { ForgeError } from '../forge/forgeError.ts';
import type { Problem } from '../forge/forgeError.ts';
import { HttpFailure } from '../http/httpClient.ts';
import type { HttpAnswer } from '../http/httpClient.ts';
import { Misread } from './decoding.ts';
import { withoutToken } from './plainText.ts';

/** The error for what went wrong on the way or in reading; anything else, an abort above all, stays what it is. */
export function forgeErrorOf(error: unknown): unknown {
	if (error instanceof Misread) {
		const where = error.at.replace(/^\./, '');
		return new ForgeError(
			{ kind: 'notUnderstood', where: where === '' ? 'the answer' : where, why: error.why },
			{ cause: error },
		);
	}
	return error instanceof HttpFailure
		? new ForgeError(problemOfFailure(error), { cause: error, isUnsent: error.isUnsent })
		: error;
}

function problemOfFailure({ failure }: HttpFailure): Problem {
	switch (failure.kind) {
		case 'unreachable':
		case 'tooLarge':
			return failure;
		case 'truncated':
			return { kind: 'notUnderstood', where: 'the answer', why: 'it ends too early' };
		case 'garbled':
			return { kind: 'notUnderstood', where: 'the answer', why: 'it is no proper HTTP' };
	}
}

/** A redirect is followed nowhere: it could carry the token away. */
export function redirectOf({ location, status }: HttpAnswer, origin: string, token: string | undefined): Problem {
	const target = location === undefined ? null : URL.parse(location, origin);
	return target === null || target.host === ''
		? unexpected(status)
		: { kind: 'redirected', toHost: withoutToken(target.host, token) };
}

/** A status that says nothing that we know. */
export function unexpected(status: number): Problem {
	return { kind: 'notUnderstood', where: 'the answer', why: `status ${status} was not expected` };
}
