/** Programs that are run on the user's machine, and no others. */
export type ProgramName = 'git' | 'gpg' | 'ssh' | 'ssh-keygen';

/** Why a clone did not come about, as far as git's complaint tells. */
export type CloneTrouble =
	| 'cancelled'
	| 'missing'
	| 'notAllowed'
	/** Ssh has not seen the key of this host before. */
	| 'hostKey'
	/** Ssh knows another key of this host. */
	| 'hostKeyChanged'
	| 'unreachable'
	| 'diskFull'
	| 'other';

/** Everything that can go wrong between us and the programs of this machine, told apart by kind. */
export type GitProblem =
	/** Nothing is run while the workspace is not trusted. */
	| { readonly kind: 'notTrusted' }
	| { readonly kind: 'programMissing'; readonly program: ProgramName }
	/** The folder that it is to run in is gone. */
	| { readonly kind: 'folderMissing'; readonly folder: string }
	/** Something that is never handed to git. `what`: `branch`, `address`, … */
	| { readonly kind: 'refused'; readonly what: 'address' | 'branch' | 'commit' | 'folder' | 'mail' }
	| { readonly kind: 'tooSlow' }
	| { readonly kind: 'tooMuch' }
	| { readonly kind: 'folderTaken' }
	/** `code`: of the operating system, as `EACCES`. */
	| { readonly kind: 'folderNotMade'; readonly code: string }
	/** `isRemoved`: whether nothing of it is left on the disk. */
	| { readonly kind: 'notCloned'; readonly trouble: CloneTrouble; readonly isRemoved: boolean }
	| { readonly kind: 'failed'; readonly program: ProgramName };

/** The one error of what runs on this machine. Its message is for logs; `complaint` are the program's last words. */
export class GitFailure extends Error {
	override readonly name = 'GitFailure';
	readonly problem: GitProblem;

	constructor(problem: GitProblem, complaint = '', options?: ErrorOptions) {
		super(complaint === '' ? problem.kind : `${problem.kind}: ${printable(complaint)}`, options);
		this.problem = problem;
	}
}

/** A server has a say in what git complains of, so nothing of it steers a terminal that shows the log. */
function printable(text: string): string {
	return text
		.trim()
		.slice(-2000)
		.replaceAll(/[^\P{Cc}\n]/gu, '?');
}
