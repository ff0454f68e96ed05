import type * as vscode from 'vscode';
import type { HardenedGit } from '../../../machine/git/hardenedGit.ts';
import { dropTemplateOnBranch, putTemplateOnBranch } from '../../../machine/git/templateOnBranch.ts';
import { withTrailer, type Trailer } from '../../../engine/text/commitTrailers.ts';

/** A branch of a clone, and the trailer of its commits. */
export interface BranchTrailer {
	readonly root: vscode.Uri;
	readonly branch: string;
	/** `undefined`: they carry none. */
	readonly trailer: Trailer | undefined;
}

/** Makes git's own template carry the trailer, on that branch alone. */
export type CommitTemplate = (wanted: BranchTrailer, signal: AbortSignal) => Promise<void>;

/** Terminal commits bypass the editor's box, so git adds the trailer from its template. */
export function commitTemplate(git: HardenedGit): CommitTemplate {
	return ({ root, branch, trailer }, signal) => {
		const at = { root: root.fsPath, branch };
		return trailer
			? putTemplateOnBranch(git, at, (own) => withTrailer(own, trailer), signal)
			: dropTemplateOnBranch(git, at, signal);
	};
}
