import { timingSafeEqual } from 'node:crypto';
import { SignInError, serverWords, type SignInProblem } from './signInError.ts';

/** Callback path on the loopback address. Part of a client's registered redirect address. */
export const callbackPath = '/callback';

/** Expected values of a callback. */
export interface ExpectedCallback {
	/**
	 * `exchange`: the older flow. Its refusals have no state (docs/protocol.md#sign-in-refusals), so any web page can
	 * forge one. A refusal ends the attempt only if the user pastes it.
	 */
	readonly flow: 'pkce' | 'exchange';
	readonly state: string;
	/** Compared with `iss` if present (RFC 9207). */
	readonly issuer: string;
	/** Requested scopes, spelled like in the authorize address; errors name scopes from this list. */
	readonly asked: readonly string[];
}

/** An unused code. It works once. */
export interface GrantedCode {
	readonly code: string;
	/** In the server's spelling. Only the older flow sends them here. */
	readonly scopes: string | undefined;
}

/** Why a callback was ignored. The attempt continues to wait. */
export type CallbackFault =
	| 'tooLong'
	/** Duplicate parameter. */
	| 'repeatedParameter'
	| 'noState'
	/** The forge's refusal in the older flow, or a forgery. The attempt continues, and the UI may inform the user. */
	| 'refusalWithoutState'
	| 'otherState'
	| 'otherIssuer'
	| 'codeAndError'
	| 'noCode'
	/** The attempt has ended. */
	| 'spent';

export type CallbackReading =
	| { readonly kind: 'granted'; readonly granted: GrantedCode }
	| { readonly kind: 'refused'; readonly error: SignInError }
	| { readonly kind: 'ignored'; readonly fault: CallbackFault };

type CallbackWay = 'browser' | 'hand';

/** Reads callbacks of one attempt, and accepts one. */
export type CallbackReader = ReturnType<typeof callbackReader>;

const maxQueryLength = 4096;
const codeShape = /^[\u0021-\u007e]{4,1024}$/;

export function callbackReader(expected: ExpectedCallback) {
	let isSpent = false;
	return {
		/** `query` without its question mark. `way`: from the browser, or pasted by the user. */
		read(query: string, way: CallbackWay): CallbackReading {
			if (isSpent) {
				return ignored('spent');
			}
			const reading =
				query.length > maxQueryLength ? ignored('tooLong') : judge(new URLSearchParams(query), expected, way);
			isSpent = reading.kind !== 'ignored';
			return reading;
		},
		/** Ignores all further callbacks. */
		spend() {
			isSpent = true;
		},
	};
}

function judge(query: URLSearchParams, expected: ExpectedCallback, way: CallbackWay): CallbackReading {
	const fault = findFault(query, expected, way);
	if (fault !== undefined) {
		return ignored(fault);
	}
	const refusal = query.get('error');
	if (refusal !== null) {
		const says = query.get('details') ?? query.get('error_description') ?? refusal;
		return { kind: 'refused', error: new SignInError(problemOf(refusal, serverWords(says), expected)) };
	}
	const code = query.get(codeName(expected));
	return code === null || !codeShape.test(code)
		? ignored('noCode')
		: { kind: 'granted', granted: { code, scopes: query.get('scopes') ?? undefined } };
}

function findFault(query: URLSearchParams, expected: ExpectedCallback, way: CallbackWay): CallbackFault | undefined {
	if (['code', 'exchange', 'state', 'iss', 'error'].some((name) => query.getAll(name).length > 1)) {
		return 'repeatedParameter';
	}
	const isRefusal = query.has('error');
	const state = query.get('state');
	if (state === null) {
		if (!isRefusal || expected.flow !== 'exchange') {
			return 'noState';
		}
		if (way !== 'hand') {
			return 'refusalWithoutState';
		}
	} else {
		const [one, other] = [Buffer.from(state), Buffer.from(expected.state)];
		if (one.length !== other.length || !timingSafeEqual(one, other)) {
			return 'otherState';
		}
	}
	const issuer = query.get('iss');
	if (issuer !== null && issuer !== expected.issuer) {
		return 'otherIssuer';
	}
	return isRefusal && query.has(codeName(expected)) ? 'codeAndError' : undefined;
}

function problemOf(error: string, serverSays: string, { asked }: ExpectedCallback): SignInProblem {
	switch (error) {
		case 'user_declined':
		case 'access_denied':
			return { kind: 'declined' };
		case 'invalid_scope':
			return { kind: 'scopeRefused', serverSays, asked: meantBy(serverSays, asked) };
		case 'invalid_redirect':
			return { kind: 'redirectRefused', serverSays };
		case 'unauthorized_client':
			return { kind: 'unknownClient' };
		default:
			return { kind: 'refused', serverSays };
	}
}

/**
 * Scopes named by the server's error, directly or through their service (docs/protocol.md#sign-in-refusals); all scopes
 * if it names none.
 */
function meantBy(serverSays: string, asked: readonly string[]): readonly string[] {
	const said = new Set(serverSays.split(/[^\w.-]+/));
	const meant = asked.filter((scope) => {
		const [name = '', service = ''] = scope.replace(/:\w+$/, '').split('/').toReversed();
		// Splitting may yield an empty word, so a scope without a service needs its own name.
		return said.has(name) || (service !== '' && said.has(service));
	});
	return meant.length === 0 ? asked : meant;
}

function codeName({ flow }: ExpectedCallback): 'code' | 'exchange' {
	return flow === 'pkce' ? 'code' : 'exchange';
}

function ignored(fault: CallbackFault): CallbackReading {
	return { kind: 'ignored', fault };
}

/**
 * Reads pasted input: the browser's final address, or the bare code from the forge's page. A bare code has no state;
 * pasting it binds it to this attempt.
 */
export function readPasted(text: string, reader: CallbackReader, expected: ExpectedCallback): CallbackReading {
	const pasted = text.trim();
	if (URL.canParse(pasted) && /^https?:$/.test(new URL(pasted).protocol)) {
		return reader.read(new URL(pasted).search.slice(1), 'hand');
	}
	if (!/^[\w.~-]{4,1024}$/.test(pasted)) {
		return ignored('noCode');
	}
	const query = new URLSearchParams({ [codeName(expected)]: pasted, state: expected.state });
	return reader.read(query.toString(), 'hand');
}
