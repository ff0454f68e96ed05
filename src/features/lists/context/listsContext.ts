import * as vscode from 'vscode';
import type { Event } from '@forge-desk/base/event.ts';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { EditDescription } from '../../../editor/documents/described.ts';
import type { FolderMapping } from '../../../editor/git/folderMapping.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { CommandHandler, Feature, CommandTable } from '../../../editor/commands/feature.ts';
import type { WindowTrust } from '../../../editor/commands/trust.ts';
import type { MailDraftDocuments } from '../../../editor/documents/mailDrafts.ts';
import type { CloneClues } from '../../../editor/git/cloneClues.ts';
import type { FindGit } from '../../../editor/git/gitApi.ts';
import type { PageHost, RestorePage } from '../../../editor/pages/pageHost.ts';
import type { PageRenderer } from '../../../editor/pages/pageRenderer.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { MailAttestation } from 'patchmail/attest/attestation.ts';
import type { MailReader } from 'patchmail/mail/mailReader.ts';
import type { MailPerson } from 'patchmail/mail/readableMail.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { ForgeInstance } from 'sourcehut/port/instance.ts';
import type { AskPerson, WithAskPass } from 'hardened-git/askPass.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import type { MailSent, MailToSend } from 'hardened-git/sendMail.ts';
import type { ThreadLook } from '../../../pages/protocol/threadProtocol.ts';
import type { AppliedCommits } from '../checks/appliedCommits.ts';
import type { AppliedDocuments } from '../checks/appliedDocuments.ts';
import type { PatchsetChecks } from '../checks/patchsetChecks.ts';
import type { ListFinder } from '../find/listFinder.ts';
import type { DraftCounts } from '../reviewState/draftCounts.ts';
import type { PatchsetReviews } from '../reviewState/patchsetReviews.ts';
import type { StatusChanges } from '../status/statusChanges.ts';
import type { Connections } from '../../../store/connection.ts';
import type { Drafts } from '../../../store/drafts/drafts.ts';
import type { KeptText } from '../../../store/shared/keptText.ts';

/** Everything that the window gives to lists. */
export interface GivenToLists {
	readonly connections: Connections;
	/** Resolves when all signed-in accounts are connected. Never rejects. */
	readonly ready: () => Promise<void>;
	readonly mailReader: MailReader;
	readonly pages: PageHost;
	/** Display settings of all threads. */
	readonly threadLook: KeptThreadLook;
	readonly problems: Problems;
	/** Repositories of patches, according to this window's clones. */
	readonly cloneClues: CloneClues;
	/** Asks for method and place, and clones a repository. Returns the new folder. */
	readonly cloneRepository: (connectionKey: string, ref: RepositoryRef, signal: AbortSignal) => Promise<vscode.Uri>;
	/** Whether git can be run in this window. */
	readonly trust: WindowTrust;
	/** Unsent texts. */
	readonly drafts: Drafts;
	readonly mailer: Mailer;
	/** Documents of mails and review comments that the user writes. */
	readonly mailDrafts: MailDraftDocuments;
	readonly signatures: MailSignatures;
	/** A name that nothing else has. */
	readonly newName: () => string;
	readonly findGit: FindGit;
	readonly git: HardenedGit;
	/** Folder for temporary files of one operation. */
	readonly tempFolder: string;
	/** Wraps a handler to show git failures in git's own words. */
	readonly tellingOfGit: (handler: CommandHandler) => CommandHandler;
	/** Runs work with a program that forwards git's questions to the user. */
	readonly withAskPass: WithAskPass;
	/** Where a push to the remote at `address` goes. */
	readonly pushAddress: (address: string) => string;
	/** The same text for all names of one folder on the disk. */
	readonly folderKey: (path: string) => Promise<string>;
	readonly clock: Clock;
	/** The view of lists. */
	readonly view: vscode.TreeView<TreeNode>;
	readonly editDescription: EditDescription;
	/** Tracker, list and repository of a folder, from git and settings. */
	readonly folderOf: FolderMapping['of'];
	/** Prepared series of an account, shared by all windows. */
	readonly seriesOf: (connectionKey: string) => KeptText;
	/** Per-account storage of applied patchsets, shared by all windows. */
	readonly appliedOf: (connectionKey: string) => KeptText;
	/** Per-account storage of facts about applied patchsets, shared by all windows. */
	readonly appliedCommitsOf: (connectionKey: string) => KeptText;
	/** The editor's storage of this workspace. */
	readonly flags: vscode.Memento;
}

/** Context of all commands, views and pages of lists. */
export interface ListsContext extends GivenToLists {
	readonly renderer: PageRenderer;
	/** Changes of statuses, from rows and pages. */
	readonly statuses: StatusChanges;
	/** Filters, boards and unread marks. */
	readonly finder: ListFinder;
	/** Review state from replies. */
	readonly reviews: PatchsetReviews;
	/** Contents of commits that differ from their patches. */
	readonly appliedDocuments: AppliedDocuments;
	/** Commits, push and thanks of applied patchsets. */
	readonly appliedCommits: AppliedCommits;
	/** Results of checking patchsets against commits. */
	readonly checks: PatchsetChecks;
	/** Counts of review drafts. */
	readonly draftCounts: DraftCounts;
}

/** Sends mails from this machine. */
export interface Mailer {
	/** Nothing is run while this is false. */
	readonly isTrusted: () => boolean;
	/**
	 * The user's sender identity, from a clone or globally. `undefined` if git has none, or if the account's own name
	 * has to do: in the sample forge the user is one of its people. `clone`: top folder.
	 */
	readonly identity: (
		instance: ForgeInstance,
		clone: string | undefined,
		signal: AbortSignal,
	) => Promise<MailPerson | undefined>;
	/**
	 * Sends one mail through git, which asks for passwords through `ask`. Throws `GitFailure` if nothing was attempted.
	 */
	readonly send: (mail: MailToSend, ask: AskPerson, signal: AbortSignal) => Promise<MailSent>;
}

/** Verifies signatures of mails. */
export interface MailSignatures {
	/** `authors`: addresses that are shown as the author. Asks DNS only after `onDidAllow`. */
	readonly check: (
		envelope: string,
		authors: readonly string[],
		signal: AbortSignal,
	) => Promise<readonly MailAttestation[]>;
	/** Asks the user whether DNS may be asked, unless it may. */
	readonly allowDns: () => Promise<void>;
	readonly onDidAllow: Event<void>;
}

/** Persistent display settings of threads. */
export interface KeptThreadLook {
	now(): ThreadLook;
	keep(look: ThreadLook): Promise<void>;
}

/** Pages of one kind, with the commands that open them. */
export interface PageArea extends Feature {
	readonly restorePage: RestorePage;
}

/** Wraps commands to show git failures in git's own words. */
export function withGitErrors({ tellingOfGit }: ListsContext, commands: CommandTable): CommandTable {
	return Object.fromEntries(Object.entries(commands).map(([id, handler]) => [id, handler && tellingOfGit(handler)]));
}
