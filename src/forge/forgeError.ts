import type { Area } from './instance.ts';
import type { Tree } from './repository.ts';
import type { Scope } from './scope.ts';

/** A reason that is ours and not the server's: it gave none, or it is known that none would take what was to be sent. */
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
	| 'slashInMessageId';

/** One thing the server did not like about what was sent; no field when the complaint is general. */
export interface FieldError {
	readonly field: string | undefined;
	/** The server's words, markup removed. Where the reason is our own, words for the log. */
	readonly reason: string;
	readonly own?: OwnReason;
	/** What our own reason is about, by its name; of `textTooLong` the most characters. */
	readonly about?: string;
}

/** Why the forge could not be reached. */
export type UnreachableReason = 'offline' | 'dns' | 'refused' | 'reset' | 'tls' | 'proxy' | 'timeout';

/** What servers ask for a permission for, and the contract has no scope for. */
export type BesidesScopes = 'projects' | 'ticketSubscriptions' | 'listRights';

/** Everything that can go wrong between us and a forge, told apart by kind. */
export type Problem =
	| { readonly kind: 'notSignedIn' }
	/** `why`: what the token says of itself, where that is why. Nobody was asked then. */
	| { readonly kind: 'tokenRejected'; readonly area: Area; readonly why?: 'expired' | 'ofOtherServers' }
	/** The forge refused the token, and where tokens are stored did not say whether there is another one by now. */
	| { readonly kind: 'sessionUnreadable' }
	/**
	 * `scope` in the contract's spelling where it could be told, else as the server wrote it; `besides`: what it is for,
	 * where that is known and no scope of the contract is for it.
	 */
	| {
			readonly kind: 'missingScope';
			readonly scope: Scope | undefined;
			readonly asWritten: string;
			readonly besides?: BesidesScopes;
	  }
	/** `reason`: the server's own sentence, where it gave one; markup removed. */
	| { readonly kind: 'notAllowed'; readonly reason?: string }
	| { readonly kind: 'notFound' }
	/** This server has no such operation, whatever it is asked about. */
	| { readonly kind: 'notOffered' }
	| { readonly kind: 'invalid'; readonly errors: readonly FieldError[] }
	/** `untilMs`: when the server wants to be asked again, if it told. */
	| { readonly kind: 'rateLimited'; readonly untilMs: number | undefined }
	/** `status`: of HTTP; `undefined` where the server reports a failure of its own in a proper answer. */
	| { readonly kind: 'serverError'; readonly status: number | undefined }
	| { readonly kind: 'unreachable'; readonly reason: UnreachableReason; readonly host: string }
	| { readonly kind: 'tooLarge'; readonly limitBytes: number }
	/** `where`: the exact spot in the answer, as `results[3].title`, or the answer itself. */
	| { readonly kind: 'notUnderstood'; readonly where: string; readonly why: string }
	/** The server leaves out a part of a folder, and git could not read it either. `known`: the names that came. */
	| { readonly kind: 'incomplete'; readonly known?: Tree }
	/** The server wanted to send us elsewhere, which a token never follows. */
	| { readonly kind: 'redirected'; readonly toHost: string };

const brand = Symbol.for('forge-desk.ForgeError');

/**
 * The one error of the forge. Recognised by a brand and not by class, because several bundles carry this file.
 * Its message is for logs; people see what the editor room makes of `problem`.
 */
export class ForgeError extends Error {
	override readonly name = 'ForgeError';
	readonly [brand] = true;
	readonly problem: Problem;
	/** It was met before anything was written: by a question that comes first, or because no connection was made. */
	readonly isUnsent: boolean;
	/** The write was carried out, and reading its result failed. */
	readonly isDone: boolean;
	/** Of `notFound`: the name of the missing thing, such as `~alice/lantern#9`. Text of others. */
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

/** The refusal of something that no server was asked about. */
export function unfit(field: string, own: OwnReason, about?: string): ForgeError {
	const named = about === undefined ? {} : { about };
	return new ForgeError({ kind: 'invalid', errors: [{ field, reason: own, own, ...named }] });
}

/** True for a ForgeError from whichever bundle. */
export function isForgeError(error: unknown): error is ForgeError {
	return error instanceof Error && brand in error;
}

/**
 * True for a refusal of which nobody said why, so that a permission is missing, as far as can be told. Whoever knows what
 * was tried has better words for it than there are in general; for any other refusal the server's own words are better.
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
