import { pushAll } from '@forge-desk/base/longArrays.ts';
import { isForgeError, type BesidesScopes, type Problem, type UnreachableReason } from 'sourcehut/port/forgeError.ts';
import type { ForgeProtocol, TokenReading } from 'sourcehut/port/forgeProtocol.ts';
import { areaOfScope, scopes, type HeldScopes, type Scope } from 'sourcehut/port/scope.ts';
import type { ContentArea, Protocol } from 'sourcehut/port/instance.ts';
import type { ProxySource, ProxyUse } from 'sourcehut/port/proxyUse.ts';
import type { ServiceLook } from 'sourcehut/port/serviceLook.ts';
import { holds } from 'sourcehut/identity/scopeUnion.ts';

/*
 * Facts in, findings out. Nothing here waits, asks or translates. Findings hold hosts and names only: no token, no path,
 * no user name or password of a URL.
 */

/** Why a service gives no usable answer. */
export type ServiceTrouble =
	| { readonly kind: Exclude<UnreachableReason, 'tls' | 'proxy'> }
	| { readonly kind: 'certificate'; readonly why: CertificateTrouble }
	| { readonly kind: 'proxyRefuses' | 'proxyUnreachable' }
	| { readonly kind: 'redirected'; readonly toHost: string }
	| { readonly kind: 'rateLimited' }
	| { readonly kind: 'unavailable'; readonly status: number }
	| { readonly kind: 'serverError'; readonly status: number }
	/** Before any token. `reason`: the server's sentence; may be empty. */
	| { readonly kind: 'turnsAway'; readonly status: number; readonly reason: string }
	| { readonly kind: 'notUnderstood' };

export type CertificateTrouble = 'expired' | 'notYetValid' | 'selfSigned' | 'otherHost' | 'other';

export type ServiceFinding = { readonly kind: 'service'; readonly protocol: Protocol } | ServiceTrouble;

/** Answer of a service to the token. */
export type TokenAnswer =
	| { readonly kind: 'accepted'; readonly owner: string; readonly version: string }
	| { readonly kind: 'rejected' }
	/** Valid, but without permission to read there. */
	| { readonly kind: 'lacking' }
	| { readonly kind: 'otherPerson'; readonly owner: string }
	/** `reason`: the server's sentence. */
	| { readonly kind: 'barred'; readonly reason: string }
	/** Rejected at sign-in, so nothing was sent. */
	| { readonly kind: 'rejectedBefore' }
	| ServiceTrouble;

/** Statements of the token itself, without a request. */
export type TokenFinding =
	/** The settings name other URLs than at sign-in. The token goes to none. */
	| { readonly kind: 'addressesChanged' }
	| { readonly kind: 'ofOtherServers' }
	| { readonly kind: 'expired'; readonly atMs: number }
	| { readonly kind: 'endsSoon'; readonly atMs: number }
	| { readonly kind: 'otherPerson'; readonly owner: string }
	| { readonly kind: 'valid'; readonly untilMs: number | undefined };

/** Permissions of one service that the token lacks. */
export interface MissingGrants {
	readonly area: ContentArea;
	readonly reading: readonly Scope[];
	readonly writing: readonly Scope[];
	readonly besides: readonly BesidesScopes[];
}

export type ClockFinding =
	/** No service gave its time. */
	| { readonly kind: 'unknown' }
	| { readonly kind: 'right'; readonly offByMs: number }
	/** Positive: this computer is ahead. */
	| { readonly kind: 'wrong'; readonly offByMs: number };

export type ProxyFinding =
	| { readonly kind: 'none' }
	| { readonly kind: 'proxy'; readonly host: string; readonly source: ProxySource; readonly hosts: readonly string[] }
	| { readonly kind: 'unusable'; readonly source: ProxySource };

export type BudgetFinding =
	| { readonly kind: 'left'; readonly left: number; readonly perHour: number }
	| { readonly kind: 'spent'; readonly perHour: number; readonly untilMs: number }
	/** The setting allows none. */
	| { readonly kind: 'off' };

/** Remotes of one open folder. */
export interface FolderFinding {
	/** Name of the folder, without its path. */
	readonly folder: string;
	readonly matching: readonly { readonly remote: string; readonly repository: string; readonly forge: string }[];
	/** Host of the URL; empty for a path. */
	readonly others: readonly { readonly remote: string; readonly host: string }[];
}

/** Codes by which Node.js names a broken certificate. */
const certificates: ReadonlyMap<string, CertificateTrouble> = new Map([
	['CERT_HAS_EXPIRED', 'expired'],
	['CERT_NOT_YET_VALID', 'notYetValid'],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'selfSigned'],
	['SELF_SIGNED_CERT_IN_CHAIN', 'selfSigned'],
	['UNABLE_TO_GET_ISSUER_CERT', 'selfSigned'],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'selfSigned'],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'selfSigned'],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'otherHost'],
	['HOSTNAME_MISMATCH', 'otherHost'],
]);

/** The error with its causes, the outermost first. */
function causesOf(error: unknown): readonly Error[] {
	const causes: Error[] = [];
	for (let next = error; next instanceof Error && causes.length < 10; next = next.cause) {
		causes.push(next);
		if (next instanceof AggregateError) {
			pushAll(
				causes,
				next.errors.filter((each): each is Error => each instanceof Error),
			);
		}
	}
	return causes;
}

function unreachableTrouble(
	{ reason }: Extract<Problem, { readonly kind: 'unreachable' }>,
	causes: readonly Error[],
): ServiceTrouble {
	if (reason === 'tls') {
		const codes = causes.map((each) => ('code' in each ? String(each.code) : ''));
		return { kind: 'certificate', why: codes.map((code) => certificates.get(code)).find(Boolean) ?? 'other' };
	}
	if (reason !== 'proxy') {
		return { kind: reason };
	}
	const said = causes.map(({ message }) => message).join(' ');
	if (/\b407\b/.test(said) || causes.every((each) => isForgeError(each))) {
		return { kind: 'proxySignIn' };
	}
	return { kind: /\(\d{3}\)|response/i.test(said) ? 'proxyRefuses' : 'proxyUnreachable' };
}

/** The trouble of a failed request; `undefined` for a refusal of the token, which is an answer. */
export function troubleOf(error: unknown): ServiceTrouble | undefined {
	if (!isForgeError(error)) {
		return { kind: 'notUnderstood' };
	}
	const { problem } = error;
	switch (problem.kind) {
		case 'unreachable':
			return unreachableTrouble(problem, causesOf(error));
		case 'redirected':
			return { kind: 'redirected', toHost: problem.toHost };
		case 'rateLimited':
			return { kind: 'rateLimited' };
		case 'serverError':
			return problem.status === undefined ? { kind: 'notUnderstood' } : statusTrouble(problem.status);
		case 'tokenRejected':
		case 'missingScope':
		case 'notAllowed':
			return undefined;
		case 'notSignedIn':
		case 'sessionUnreadable':
		case 'notFound':
		case 'notOffered':
		case 'invalid':
		case 'tooLarge':
		case 'browserCheck':
		case 'notUnderstood':
		case 'incomplete':
			return { kind: 'notUnderstood' };
	}
}

function statusTrouble(status: number): ServiceTrouble {
	return status === 502 || status === 503 || status === 504
		? { kind: 'unavailable', status }
		: { kind: 'serverError', status };
}

/** A service by its answer to a request without a token. */
export function judgeLook({ status, protocol, isWebPage, toHost, said }: ServiceLook): ServiceFinding {
	if (protocol !== undefined) {
		return { kind: 'service', protocol };
	}
	if (status === 407) {
		return { kind: 'proxySignIn' };
	}
	if (status === 429) {
		return { kind: 'rateLimited' };
	}
	if (toHost !== undefined) {
		return { kind: 'redirected', toHost };
	}
	if (status >= 500 && status !== 511) {
		return statusTrouble(status);
	}
	if (isWebPage || status === 511) {
		return { kind: 'webPage' };
	}
	return status === 401 || status === 403 ? { kind: 'turnsAway', status, reason: said } : { kind: 'notUnderstood' };
}

/** The meaning of a refused request for the token's owner. */
export function judgeRefusal(error: unknown): TokenAnswer {
	const trouble = troubleOf(error);
	if (trouble) {
		return trouble;
	}
	const problem = isForgeError(error) ? error.problem : undefined;
	if (problem?.kind === 'missingScope') {
		return { kind: 'lacking' };
	}
	return problem?.kind === 'notAllowed' && problem.reason !== undefined
		? { kind: 'barred', reason: problem.reason }
		: { kind: 'rejected' };
}

/** A notice this long before the end leaves time for a new token. */
const soonMs = 14 * 86_400_000;

/** `renews`: the token is replaced without the user. */
export function judgeToken(
	token: {
		readonly accountName: string;
		readonly isBound: boolean;
		readonly reading: TokenReading;
		readonly expiresMs: number | undefined;
		readonly renews: boolean;
	},
	nowMs: number,
): TokenFinding {
	const { reading, accountName, isBound, renews } = token;
	if (!isBound) {
		return { kind: 'addressesChanged' };
	}
	if (reading.kind === 'ofOtherServers') {
		return { kind: 'ofOtherServers' };
	}
	if (reading.kind === 'told' && reading.owner !== accountName) {
		return { kind: 'otherPerson', owner: reading.owner };
	}
	const atMs = reading.kind === 'told' ? reading.expiresMs : token.expiresMs;
	if (atMs === undefined || atMs - nowMs > soonMs || (renews && atMs > nowMs)) {
		return { kind: 'valid', untilMs: atMs };
	}
	return { kind: atMs <= nowMs ? 'expired' : 'endsSoon', atMs };
}

/** True if the token may be sent at all. */
export function isSendable({ kind }: TokenFinding): boolean {
	return kind === 'valid' || kind === 'endsSoon';
}

/** Services with missing permissions. A token of the browser gets those for writing when an action needs them. */
export function judgeGrants(
	areas: readonly ContentArea[],
	held: HeldScopes,
	reading: TokenReading,
	protocol: ForgeProtocol,
): readonly MissingGrants[] {
	const lacks = reading.kind === 'told' ? reading.lacks : [];
	const isPersonal = reading.kind === 'told' && reading.isPersonal;
	return areas
		.map((area): MissingGrants => {
			const missing = scopes.filter((scope) => areaOfScope(scope) === area && !holds(held, scope, protocol));
			return {
				area,
				reading: missing.filter((scope) => scope.endsWith(':read')),
				writing: isPersonal ? missing.filter((scope) => scope.endsWith(':write')) : [],
				besides: lacks.filter((each) => areaOfBesides(each) === area),
			};
		})
		.filter(({ reading: read, writing, besides }) => read.length + writing.length + besides.length > 0);
}

function areaOfBesides(permission: BesidesScopes): ContentArea {
	switch (permission) {
		case 'projects':
			return 'git';
		case 'ticketSubscriptions':
			return 'todo';
		case 'listRights':
			return 'lists';
	}
}

/** A look with the times of this computer around it. */
export interface TimedLook {
	readonly sentMs: number | undefined;
	readonly askedMs: number;
	readonly heardMs: number;
}

/** Servers state whole seconds, and tokens and snoozes end to the minute. */
const mostOffMs = 120_000;

/** Half of the second that a server's time lacks at most. */
const cutOffMs = 500;

/** The services' clocks may differ: their median counts. */
export function judgeClock(looks: readonly TimedLook[]): ClockFinding {
	const offsets = looks
		.flatMap(({ sentMs, askedMs, heardMs }) =>
			sentMs === undefined ? [] : [(askedMs + heardMs) / 2 - sentMs - cutOffMs],
		)
		.toSorted((one, other) => one - other);
	const offByMs = offsets[Math.floor(offsets.length / 2)];
	return offByMs === undefined
		? { kind: 'unknown' }
		: { kind: Math.abs(offByMs) > mostOffMs ? 'wrong' : 'right', offByMs };
}

/** One finding for each proxy of the hosts, without the user name and password. */
export function judgeProxies(used: readonly (readonly [host: string, ProxyUse])[]): readonly ProxyFinding[] {
	const found = new Map<string, ProxyFinding>();
	for (const [host, proxy] of used) {
		switch (proxy.kind) {
			case 'none':
				found.set('none', { kind: 'none' });
				break;
			case 'unusable':
				found.set(`unusable ${proxy.source}`, proxy);
				break;
			case 'proxy': {
				const place = URL.parse(proxy.address)?.host ?? '';
				const key = `${proxy.source} ${place}`;
				const before = found.get(key);
				const hosts = [...(before?.kind === 'proxy' ? before.hosts : []), host];
				found.set(key, { kind: 'proxy', host: place, source: proxy.source, hosts });
			}
		}
	}
	// Direct connections beside a proxy are exceptions of its settings.
	return found.size > 1 ? [...found.values()].filter(({ kind }) => kind !== 'none') : [...found.values()];
}

export function judgeBudget({
	perHour,
	spent,
	readyMs,
}: {
	readonly perHour: number;
	readonly spent: number;
	readonly readyMs: number;
}): BudgetFinding {
	if (perHour < 1 || !Number.isFinite(readyMs)) {
		return { kind: 'off' };
	}
	return spent >= perHour
		? { kind: 'spent', perHour, untilMs: readyMs }
		: { kind: 'left', left: perHour - spent, perHour };
}

/** Host of a remote's URL, without user name and password; empty for a path. */
export function hostOfRemote(address: string): string {
	const scp = /^(?:[^@/\s]+@)?([\w.-]{2,255}):(?!\/\/)/.exec(address);
	// One letter before a colon is a drive.
	const host = URL.parse(address)?.host ?? '';
	return host === '' ? (scp?.[1] ?? '') : host;
}
