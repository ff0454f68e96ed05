import type { Area } from './instance.ts';
import type { Tree } from './repository.ts';
import type { Scope } from './scope.ts';

/** A reason found by the client: the server gave none, or no server would accept the input. */
export type OwnReason =
	| 'noneGiven'
	| 'commentLength'
	| 'titleLength'
	| 'textTooLong'
	| 'labelUnknown'
	| 'personUnknown'
	| 'resolutionMissing'
	| 'nameEmpty'
	| 'nameIsDots'
	| 'nameInNoAddress'
	| 'halfCharacter'
	| 'nulCharacter'
	| 'slashInMessageId'
	/** Of mailboxes on this machine. */
	| 'mailboxMissing'
	| 'mailboxDamaged'
	| 'noMailIndex'
	| 'mailIndexFails'
	| 'diskFails';

/** One validation error; without a field if it is general. */
export interface FieldError {
	readonly field: string | undefined;
	/** The server's words without markup. For an `own` reason: text for the log. */
	readonly reason: string;
	readonly own?: OwnReason;
	/** Subject of an `own` reason by name; for `textTooLong` the maximum length in characters. */
	readonly about?: string;
}

export type UnreachableReason =
	| 'offline'
	| 'dns'
	| 'refused'
	| 'reset'
	| 'tls'
	/** The proxy refuses, or cannot be reached. */
	| 'proxy'
	/** The proxy wants a user name and a password. */
	| 'proxySignIn'
	/** The system's proxy cannot be used or found out. */
	| 'proxyUnusable'
	| 'timeout'
	/** A web page came in place of the answer: of a network that wants a sign-in, or of a proxy. */
	| 'webPage';

/** Permissions that servers require without a scope in the contract. */
export type BesidesScopes = 'projects' | 'ticketSubscriptions' | 'listRights';

/** All errors between client and forge. */
export type Problem =
	| { readonly kind: 'notSignedIn' }
	/** `why`: the token's own statement. No request was sent then. */
	| { readonly kind: 'tokenRejected'; readonly area: Area; readonly why?: 'expired' | 'ofOtherServers' }
	/** The forge refused the token, and SecretStorage failed, so a newer token may exist. */
	| { readonly kind: 'sessionUnreadable' }
	/**
	 * `scope`: in the contract's spelling, `undefined` if unrecognized. `besides`: the permission, if the contract has
	 * no scope for it.
	 */
	| {
			readonly kind: 'missingScope';
			readonly scope: Scope | undefined;
			readonly asWritten: string;
			readonly besides?: BesidesScopes;
	  }
	/** `reason`: the server's sentence without markup. */
	| { readonly kind: 'notAllowed'; readonly reason?: string }
	/**
	 * `because`: the mail exists. `partialHost`: this host has only a part of an archive, which proves nothing.
	 */
	| { readonly kind: 'notFound'; readonly because?: 'noPatches'; readonly partialHost?: string }
	/** This server lacks the operation for all resources. */
	| { readonly kind: 'notOffered' }
	| { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
	/** `untilMs`: retry time, if the server states one. */
	| { readonly kind: 'rateLimited'; readonly untilMs: number | undefined }
	/** `status`: HTTP status; `undefined` if the server reports its failure inside a regular response. */
	| { readonly kind: 'serverError'; readonly status: number | undefined }
	| { readonly kind: 'unreachable'; readonly reason: UnreachableReason; readonly host: string }
	| { readonly kind: 'tooLarge'; readonly limitBytes: number }
	/** A page that only a browser with scripts passes, in place of the answer. */
	| { readonly kind: 'browserCheck'; readonly host: string }
	/** `where`: position in the response, such as `results[3].title`, or the response itself. */
	| { readonly kind: 'notUnderstood'; readonly where: string; readonly why: string }
	/** The server omits entries of a folder, and git can't read it either. `known`: the entries sent. */
	| { readonly kind: 'incomplete'; readonly known?: Tree }
	/** A redirect. Tokens never follow one. */
	| { readonly kind: 'redirected'; readonly toHost: string };

const brand = Symbol.for('forge-desk.ForgeError');

/**
 * The only error class of the forge. A brand identifies it, because several bundles include this file. The message is
 * for logs; users see a text that the editor code derives from `problem`.
 */
export class ForgeError extends Error {
	override readonly name = 'ForgeError';
	readonly [brand] = true;
	readonly problem: Problem;
	/** Failed before any write: in a preceding read, or without a connection. */
	readonly isUnsent: boolean;
	/** The write succeeded, and reading its result failed. */
	readonly isDone: boolean;
	/** For `notFound`: name of the missing resource, such as `~alice/lantern#9`. Untrusted text. */
	readonly about: string | undefined;

	constructor(
		problem: Problem,
		options?: ErrorOptions & {
			readonly isUnsent?: boolean;
			readonly isDone?: boolean;
			readonly about?: string | undefined;
		},
	) {
		super(describeForLog(problem), options);
		this.problem = problem;
		this.isUnsent = options?.isUnsent ?? false;
		this.isDone = options?.isDone ?? false;
		this.about = options?.about;
	}
}

/** A local refusal; no request was sent. */
export function unfit(field: string, own: OwnReason, about?: string): ForgeError {
	const named = about === undefined ? {} : { about };
	return new ForgeError({ kind: 'invalid', errors: [{ field, reason: own, own, ...named }] });
}

/** Throws for a text with NUL. Databases fail on it, so the error of the server would leave the write in doubt. */
export function checkNul(sent: object): void {
	JSON.stringify(sent, (field, value: unknown) => {
		if (typeof value === 'string' && value.includes('\0')) {
			throw unfit(field, 'nulCharacter');
		}
		return value;
	});
}

/** True for a ForgeError from any bundle. */
export function isForgeError(error: unknown): error is ForgeError {
	return error instanceof Error && brand in error;
}

/**
 * True for a refusal without a stated reason, so a permission is probably missing. Callers then name the failed
 * operation; otherwise the server's own words are better.
 */
export function isBareRefusal(error: unknown): boolean {
	return isForgeError(error) && error.problem.kind === 'notAllowed' && error.problem.reason === undefined;
}

function describeForLog(problem: Problem): string {
	switch (problem.kind) {
		case 'tokenRejected':
			return `token rejected by ${problem.area}`;
		case 'missingScope':
			return `missing scope ${problem.asWritten}`;
		case 'invalid':
			return `invalid: ${problem.errors.map(({ field, reason }) => `${field ?? '*'}: ${reason}`).join('; ')}`;
		case 'serverError':
			return problem.status === undefined ? 'server error' : `server error ${problem.status}`;
		case 'unreachable':
			return `${problem.host} unreachable: ${problem.reason}`;
		case 'tooLarge':
			return `answer larger than ${problem.limitBytes} bytes`;
		case 'notUnderstood':
			return `not understood at ${problem.where}: ${problem.why}`;
		case 'browserCheck':
			return `${problem.host} wants a browser`;
		case 'redirected':
			return `redirected to ${problem.toHost}`;
		case 'notAllowed':
			return problem.reason === undefined ? problem.kind : `${problem.kind}: ${problem.reason}`;
		case 'notSignedIn':
		case 'sessionUnreadable':
		case 'notFound':
		case 'notOffered':
		case 'rateLimited':
		case 'incomplete':
			return problem.kind;
	}
}
