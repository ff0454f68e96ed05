import type { CloneTrouble } from './gitFailure.ts';

/** Git could not talk to a server. `complaint`: last message of git or the server. */
export interface NetworkFailure {
	readonly kind: 'failed';
	readonly trouble: CloneTrouble;
	readonly complaint: string;
}

/** Usual messages of git, curl and ssh. A server may fake them; then we report its claim. */
const sayings: readonly (readonly [CloneTrouble, RegExp])[] = [
	['hostKeyChanged', /REMOTE HOST IDENTIFICATION HAS CHANGED/],
	['hostKey', /Host key verification failed/],
	['diskFull', /No space left on device|Disk quota exceeded/],
	['notAllowed', /Permission denied|Authentication failed|could not read (?:Username|Password)|error: 40[13]/],
	['missing', /repository '.*' not found|does not appear to be a git repository|Remote branch .* not found|error: 404/],
	[
		'unreachable',
		/Could not resolve host|Failed to connect|(?:Connection|Operation) (?:refused|timed out|reset)|No route to host|Network is unreachable|unable to access/,
	],
];

/** Cause of a network failure, guessed from the messages. */
export function troubleIn(complaint: string): CloneTrouble {
	return sayings.find(([, saying]) => saying.test(complaint))?.[0] ?? 'other';
}

export function failedWith(complaint: string): NetworkFailure {
	return { kind: 'failed', trouble: troubleIn(complaint), complaint };
}
