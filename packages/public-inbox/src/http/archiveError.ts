/** Reason for a missing answer. Failures of the transport stay its own errors. */
export type ArchiveProblem =
	/** Nothing arrived for too long, or too slowly. */
	| { readonly kind: 'silent' }
	/** Asked to wait, or failing for now. */
	| { readonly kind: 'busy'; readonly retryAtMs: number }
	/** A proxy wants proof of a browser. Mirrors and clones help. */
	| { readonly kind: 'challenge' }
	/** The answer is not of an archive. */
	| { readonly kind: 'foreign' }
	/** The archive does not have it. `upstream`: it is partial, and names the whole archive. */
	| { readonly kind: 'missing'; readonly isPartial: boolean; readonly upstream: string | undefined }
	/** A redirect to another host, which the client never follows. */
	| { readonly kind: 'redirected'; readonly to: string }
	/** `text`: the archive's own words on a search. */
	| { readonly kind: 'badQuery'; readonly text: string }
	| { readonly kind: 'refused'; readonly status: number }
	| { readonly kind: 'tooLarge'; readonly limitBytes: number }
	/** Cut off, or not unpackable. */
	| { readonly kind: 'damaged' };

export class ArchiveError extends Error {
	override readonly name = 'ArchiveError';
	readonly problem: ArchiveProblem;
	readonly host: string;

	constructor(problem: ArchiveProblem, host: string, options?: ErrorOptions) {
		super(`${host} ${problem.kind}`, options);
		this.problem = problem;
		this.host = host;
	}
}
