import { timingSafeEqual } from 'node:crypto';
import { SignInError, serverWords, type SignInProblem } from './signInError.ts';

/** What a callback has to fit to. */
export interface ExpectedCallback {
	/**
	 * `exchange`: the older flow, whose refusals come without a state (docs/protocol.md#sign-in-refusals). Any page in
	 * the browser can send such a thing, so it ends an attempt only from the user's own hand.
	 */
	readonly flow: 'pkce' | 'exchange';
	readonly state: string;
	/** Checked against `iss` when that comes (RFC 9207). */
	readonly issuer: string;
	/** The scopes as the authorize address has them; what the server refuses is named by them. */
	readonly asked: readonly string[];
}

/** A code that may be redeemed, once. */
export interface GrantedCode {
	readonly code: string;
	/** As the server spells them; only the older flow tells them here. */
	readonly scopes: string | undefined;
}

/** Why a callback was not taken. The attempt goes on waiting for the right one. */
export type CallbackFault =
	| 'tooLong'
	/** A parameter that may come once came twice. */
	| 'repeatedParameter'
	| 'noState'
	/** Perhaps the forge's own refusal in the older flow, perhaps any page's: it ends nothing, and the user can be told. */
	| 'refusalWithoutState'
	| 'otherState'
	| 'otherIssuer'
	| 'codeAndError'
	| 'noCode'
	/** This attempt has had its answer, or its time is over. */
	| 'spent';

/** What reading a callback comes to. */
export type CallbackReading =
	| { readonly kind: 'granted'; readonly granted: GrantedCode }
	| { readonly kind: 'refused'; readonly error: SignInError }
	| { readonly kind: 'ignored'; readonly fault: CallbackFault };

type CallbackWay = 'browser' | 'hand';

/** Reads callbacks of one attempt. Takes one, and no other after it. */
export interface CallbackReader {
	/** `query` without its question mark. `way`: whether the browser brought it, or the user pasted it. */
	read(query: string, way: CallbackWay): CallbackReading;
	/** From now on nothing is taken. */
	spend(): void;
}

const maxQueryLength = 4096;
const codeShape = /^[\u0021-\u007e]{4,1024}$/;

/** A reader for one attempt to sign in. */
export function callbackReader(expected: ExpectedCallback): CallbackReader {
	let isSpent = false;
	return {
		read(query, way) {
			if (isSpent) {
				return ignored('spent');
			}
			const reading =
				query.length > maxQueryLength ? ignored('tooLong') : judge(new URLSearchParams(query), expected, way);
			isSpent = reading.kind !== 'ignored';
			return reading;
		},
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
	const lack = state === null ? lackOfState(isRefusal && expected.flow === 'exchange', way) : undefined;
	if (lack !== undefined) {
		return lack;
	}
	if (state !== null && !isSame(state, expected.state)) {
		return 'otherState';
	}
	const issuer = query.get('iss');
	if (issuer !== null && issuer !== expected.issuer) {
		return 'otherIssuer';
	}
	return isRefusal && query.has(codeName(expected)) ? 'codeAndError' : undefined;
}

function lackOfState(mayLackState: boolean, way: CallbackWay): CallbackFault | undefined {
	if (!mayLackState) {
		return 'noState';
	}
	return way === 'hand' ? undefined : 'refusalWithoutState';
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
 * Servers name the service or the scope that they do not know (docs/protocol.md#sign-in-refusals); all scopes when they
 * name neither.
 */
function meantBy(serverSays: string, asked: readonly string[]): readonly string[] {
	const said = new Set(serverSays.split(/[^\w.-]+/));
	const meant = asked.filter((scope) => {
		const [name = '', service = ''] = scope.replace(/:\w+$/, '').split('/').toReversed();
		// A scope of no service is meant by its own name only: what was split may hold an empty word.
		return said.has(name) || (service !== '' && said.has(service));
	});
	return meant.length === 0 ? asked : meant;
}

function codeName({ flow }: ExpectedCallback): 'code' | 'exchange' {
	return flow === 'pkce' ? 'code' : 'exchange';
}

function isSame(one: string, other: string): boolean {
	const [a, b] = [Buffer.from(one), Buffer.from(other)];
	return a.length === b.length && timingSafeEqual(a, b);
}

function ignored(fault: CallbackFault): CallbackReading {
	return { kind: 'ignored', fault };
}

/**
 * Reads what somebody pasted: the whole address at which the browser ended, or the bare code that the forge showed.
 * A bare code has no state; it is the user's own hand that binds it to this attempt.
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
