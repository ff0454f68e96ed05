import type { CloneTrouble } from './gitFailure.ts';

/** Git could not talk to a server. `complaint` are its last words, or the server's. */
export interface NetworkFailure {
	readonly kind: 'failed';
	readonly trouble: CloneTrouble;
	readonly complaint: string;
}

/** What git, curl and ssh say of the usual troubles. A server may say the same; then its word is as good. */
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

/** What is wrong with the way to a server, as far as a complaint tells it. */
export function troubleIn(complaint: string): CloneTrouble {
	return sayings.find(([, saying]) => saying.test(complaint))?.[0] ?? 'other';
}

/** Why git could not talk to a server, of what it said last. */
export function failedWith(complaint: string): NetworkFailure {
	return { kind: 'failed', trouble: troubleIn(complaint), complaint };
}
