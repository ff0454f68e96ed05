/** All programs that we run on the user's machine. */
export type ProgramName = 'git' | 'gpg' | 'ssh' | 'ssh-keygen';

/** Cause of a failed clone, guessed from git's messages. */
export type CloneTrouble =
	| 'cancelled'
	| 'missing'
	| 'notAllowed'
	/** Ssh does not know the host's key. */
	| 'hostKey'
	/** The host's key differs from the one that ssh knows. */
	| 'hostKeyChanged'
	| 'unreachable'
	| 'diskFull'
	| 'other';

export type GitProblem =
	/** No program runs in an untrusted workspace. */
	| { readonly kind: 'notTrusted' }
	| { readonly kind: 'programMissing'; readonly program: ProgramName }
	/** Git before 2.32 runs nothing of ours. */
	| { readonly kind: 'tooOld'; readonly version: string }
	/** The working directory is missing. */
	| { readonly kind: 'folderMissing'; readonly folder: string }
	/** An unsafe value, never passed to git. */
	| {
			readonly kind: 'refused';
			readonly what: 'address' | 'branch' | 'command' | 'commit' | 'folder' | 'mail' | 'sender';
	  }
	| { readonly kind: 'tooSlow' }
	| { readonly kind: 'tooMuch' }
	| { readonly kind: 'folderTaken' }
	/** `code`: system error, such as `EACCES`. */
	| { readonly kind: 'folderNotMade'; readonly code: string }
	/** `isRemoved`: nothing is left on the disk. */
	| { readonly kind: 'notCloned'; readonly trouble: CloneTrouble; readonly isRemoved: boolean }
	/** Git distrusts a repository of another user. `folder`: in git's words. */
	| { readonly kind: 'notOwned'; readonly folder: string }
	/** A partial clone, and we fetch nothing without a question. */
	| { readonly kind: 'lacksFiles' }
	| { readonly kind: 'failed'; readonly program: ProgramName };

/** Error of local programs. The message is for logs; `complaint`: end of standard error. */
export class GitFailure extends Error {
	override readonly name = 'GitFailure';
	readonly problem: GitProblem;

	constructor(problem: GitProblem, complaint = '', options?: ErrorOptions) {
		// Servers influence git's messages, so control characters must not reach a terminal.
		const printable = complaint
			.trim()
			.slice(-2000)
			.replaceAll(/[^\P{Cc}\n]/gu, '?');
		super(complaint === '' ? problem.kind : `${problem.kind}: ${printable}`, options);
		this.problem = problem.kind === 'failed' ? (knownCause(complaint) ?? problem) : problem;
	}
}

/** Cause of a failure in a clone, by git's messages. */
export function knownCause(complaint: string): GitProblem | undefined {
	const [, older, newer] =
		/^fatal: (?:unsafe repository \('(.*)' is owned by someone else\)|detected dubious ownership in repository at '(.*)')/m.exec(
			complaint,
		) ?? [];
	const folder = newer ?? older;
	if (folder !== undefined) {
		return { kind: 'notOwned', folder };
	}
	if (/^(?:fatal|error): attempting to allocate \d+ over limit/m.test(complaint)) {
		return { kind: 'tooMuch' };
	}
	// Git before 2.39 goes on without the object, and has only said that no transport is allowed.
	return /^fatal: (?:could not fetch [0-9a-f]{40,64} from promisor remote|transport '.+' not allowed)$/m.test(complaint)
		? { kind: 'lacksFiles' }
		: undefined;
}

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
