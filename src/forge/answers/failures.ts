import { ForgeError } from '../port/forgeError.ts';
import type { Problem } from '../port/forgeError.ts';
import { HttpFailure } from '../../machine/http/httpClient.ts';
import type { HttpAnswer } from '../../machine/http/httpClient.ts';
import { Misread } from './decoding.ts';
import { withoutToken } from './plainText.ts';

/** Converts failures of transport and decoding. Other errors, such as aborts, pass unchanged. */
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

/** The client follows no redirect, because it could leak the token. */
export function redirectOf({ location, status }: HttpAnswer, origin: string, token: string | undefined): Problem {
	const target = location === undefined ? null : URL.parse(location, origin);
	return target === null || target.host === ''
		? unexpected(status)
		: { kind: 'redirected', toHost: withoutToken(target.host, token) };
}

/** An unknown status. */
export function unexpected(status: number): Problem {
	return { kind: 'notUnderstood', where: 'the answer', why: `status ${status} was not expected` };
}
