import * as vscode from 'vscode';
import { Disposables } from '../../base/lifecycle.ts';
import { choose } from '../../editor/ask/ask.ts';
import type { Feature } from '../../editor/commands/feature.ts';
import { connectionOf } from '../../editor/commands/subjects.ts';
import type { PanelType } from '../../editor/desk.ts';
import type { EditDescription } from '../../editor/documents/described.ts';
import type { FolderMapping } from '../../editor/git/folderMapping.ts';
import type { GoToName, GoToThing } from '../../editor/links/goToThing.ts';
import type { LinkSource } from '../../editor/links/linkCommands.ts';
import type { PatchFiles } from '../../editor/patchDocuments/patchFiles.ts';
import { pageRenderer, type RenderChunk } from '../../editor/pages/pageRenderer.ts';
import type { KnownThings } from '../../engine/search/rankThings.ts';
import type { Connection } from '../../store/connection.ts';
import type { KeptText } from '../../store/shared/keptText.ts';
import type { BulkPart } from '../../store/shared/writeJournal.ts';
import { applyFeature, type ApplyFeatureParts } from './apply/applyFeature.ts';
import { patchsetChecks } from './checks/patchsetChecks.ts';
import { diffs } from './diffs/diffsFeature.ts';
import { knownPosts } from './find/knownPosts.ts';
import { listFinder } from './find/listFinder.ts';
import { listCommands } from './listCommands.ts';
import { mailDocuments, type MailDocuments } from './mail/mailDocuments.ts';
import { markCommands } from './manage/markCommands.ts';
import type { ListsParts } from './parts/listsParts.ts';
import { commentCommands } from './patchset/commentCommands.ts';
import { commentEditors } from './patchset/commentEditors.ts';
import { fileSteps } from './patchset/fileSteps.ts';
import { patchsetPages } from './patchset/patchsetFeature.ts';
import { fetchPullCommands } from './pull/fetchPull.ts';
import { replyFeature } from './reply/replyFeature.ts';
import { suggestCommands } from './reply/suggestChange.ts';
import { typedComments, type TypedComments } from './reply/commentBoxes.ts';
import { commentThreads, type CommentThreads } from './review/commentThreads.ts';
import { draftCounts } from './parts/draftCounts.ts';
import { patchsetReviews } from './parts/patchsetReviews.ts';
import { statusChanges } from './status/statusChanges.ts';
import { askMailOfList, askPatchset } from './subjects/listQuestions.ts';
import { listTarget, type TargetParts } from './subjects/listTargets.ts';
import { listWebLink, patchsetWebLink, webLink } from './subjects/webLink.ts';
import { submitFeature } from './submit/submitFeature.ts';
import { threadPages } from './thread/threadFeature.ts';
import { listTree, type ListTree } from './tree/listTree.ts';
import { patchFileDecorations } from './tree/patchFileRows.ts';
import { patchsetSteps } from './tree/patchsetSteps.ts';
import { earlierSetting, earlierThreads, toggleEarlier } from './versions/earlierThreads.ts';
import { versions } from './versions/versionsFeature.ts';
import { viewedCommands, type ViewedParts } from './viewed/viewedCommands.ts';

/** Mailing lists: view, commands, pages and documents. */
export interface ListsFeature extends Feature {
	readonly tree: ListTree;
	/** Mail documents, `forge-mail:`. */
	readonly mails: MailDocuments;
	/** Both sides of patched files, `forge-patch:`. */
	readonly patches: PatchFiles;
	/** Comparisons of versions, `forge-versions:`. */
	readonly versions: vscode.FileSystemProvider;
	/** Previews of reviews, `forge-review:`. */
	readonly previews: vscode.FileSystemProvider;
	/** Previews of patches, `forge-series:`. */
	readonly series: vscode.FileSystemProvider;
	readonly links: LinkSource;
	readonly known: KnownThings<GoToName, GoToThing>;
	/** Fills a page that the editor restored after a reload; `state` comes from the page. */
	restorePage(type: ListPanel, panel: vscode.WebviewPanel, state: unknown): Promise<void>;
	/** Reports interrupted status changes. */
	resumeStatuses(connection: Connection, left: readonly BulkPart[]): Promise<void>;
}

/** Webview types of lists. */
export type ListPanel = Extract<PanelType, 'forge.thread' | 'forge.patchset'>;

/** Dependencies beyond `ListsParts`. */
export interface ListsFeatureParts
	extends
		Omit<ListsParts, 'finder' | 'statuses' | 'reviews' | 'checks' | 'renderer' | 'draftCounts'>,
		ApplyFeatureParts {
	readonly render: () => Promise<RenderChunk>;
	readonly editDescription: EditDescription;
	/** Prepared series of an account, shared by all windows. */
	readonly seriesOf: (connectionKey: string) => KeptText;
	readonly folderOf: FolderMapping['of'];
	readonly view: Parameters<typeof patchsetSteps>[2] & ViewedParts['view'];
}

/** Menus in the manifest use this id. */
const controllerId = 'forge.replies';

export function listsFeature(given: ListsFeatureParts): ListsFeature {
	const owned = new Disposables();
	const ending = new AbortController();
	const finder = listFinder(given.clock, (error) => given.problems.log(error));
	const reviews = owned.add(patchsetReviews(given.clock));
	const renderer = pageRenderer(given.render);
	const parts = {
		...given,
		finder,
		statuses: statusChanges(given.connections, given.problems, finder.marks),
		reviews,
		checks: patchsetChecks(),
		renderer,
		draftCounts: owned.add(draftCounts(given.drafts)),
	};
	const mails = owned.add(mailDocuments(parts));
	const tree = owned.add(listTree(parts));
	const threads = owned.add(threadPages(parts));
	const patchsets = owned.add(patchsetPages(parts));
	const opened = owned.add(diffs(parts));
	const viewed = owned.add(viewedCommands(parts));
	const compared = owned.add(versions(opened.opener));
	const applying = owned.add(applyFeature(parts));
	const pages = { 'forge.thread': threads, 'forge.patchset': patchsets } as const;
	owned.add(vscode.window.registerFileDecorationProvider(patchFileDecorations()));
	let controller: vscode.CommentController | undefined;
	const setting = earlierSetting();
	const earlier = owned.add(earlierThreads(parts, setting));
	const comments: CommentThreads = owned.add(
		commentThreads(
			parts,
			opened.files,
			earlier,
			(id) => typed.isOpen(id),
			() => (controller ??= owned.add(newController())),
		),
	);
	const typed: TypedComments = owned.add(typedComments(parts, comments, controllerId));

	function newController(): vscode.CommentController {
		const made = vscode.comments.createCommentController(controllerId, vscode.l10n.t('Replies to Patches'));
		made.options = {
			prompt: vscode.l10n.t('Reply…'),
			placeHolder: vscode.l10n.t('Write a comment. It is kept as a draft until you send the review.'),
		};
		made.commentingRangeProvider = { provideCommentingRanges: ({ uri, lineCount }) => comments.ranges(uri, lineCount) };
		return made;
	}

	const replies = owned.add(replyFeature(parts, comments, typed));
	const submitted = owned.add(submitFeature(parts, given.folderOf, given.seriesOf));
	return {
		tree,
		mails,
		previews: replies.previews,
		series: submitted.previews,
		patches: opened.files,
		versions: compared.files,
		links: listLinks(parts),
		known: knownPosts(parts.connections, parts.problems),
		commands: {
			...listCommands(parts, mails.open, threads.open, parts.editDescription),
			...threads.commands,
			...patchsets.commands,
			...opened.commands,
			...compared.commands,
			...viewed.commands,
			'forge.comments.toggleEarlier': () => toggleEarlier(setting),
			...fileSteps(parts),
			...applying.commands,
			...fetchPullCommands(parts),
			...markCommands(parts),
			...commentCommands(parts, commentEditors(parts, opened.files, comments)),
			...replies.commands,
			...suggestCommands(parts, opened.files),
			...submitted.commands,
			...patchsetSteps(parts, tree, parts.view),
		},
		restorePage: (type, panel, state) => pages[type].restorePage(panel, state),
		resumeStatuses: (connection, left) => parts.statuses.resumeAll(connection, left, ending.signal),
		dispose() {
			ending.abort();
			owned.dispose();
		},
	};
}

/** Web addresses of lists, patchsets and mails for the copy and open commands. */
export function listLinks(parts: TargetParts): LinkSource {
	return {
		name: vscode.l10n.t('A list, patchset or message'),
		webLink: (subject) => webLink(parts.connections, subject),
		askForLink: (signal) => askForLink(parts, signal),
	};
}

async function askForLink(parts: TargetParts, signal: AbortSignal): Promise<string> {
	const list = await listTarget(parts, undefined, signal);
	const connection = connectionOf(parts.connections, list);
	const kind = await choose<'list' | 'patchset' | 'mail'>(vscode.l10n.t('Choose the list, a patchset or a message'), [
		{ label: vscode.l10n.t('The list itself'), value: 'list' },
		{ label: vscode.l10n.t('A patchset…'), value: 'patchset' },
		{ label: vscode.l10n.t('A message…'), value: 'mail' },
	]);
	switch (kind) {
		case 'list':
			return listWebLink(connection.instance, list.ref);
		case 'patchset':
			return patchsetWebLink(connection, (await askPatchset(connection, list.ref, signal)).ref);
		case 'mail':
			return webLink(parts.connections, await askMailOfList(connection, list.ref, signal)) ?? '';
	}
}
