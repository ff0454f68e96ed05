import { lineThreadsCommands } from '../features/lineThreads/lineThreadsCommands.ts';
import { listTree } from '../features/lists/tree/listTree.ts';
import { threadPages } from '../features/lists/thread/threadFeature.ts';
import { patchFileDecorations } from '../features/lists/tree/patchRows.ts';
import { type TypedComments, typedComments } from '../features/review/reply/commentBoxes.ts';
import { replyFeature } from '../features/review/reply/replyFeature.ts';
import { patchsetSteps } from '../features/lists/tree/patchsetSteps.ts';
import { patchsetReviews } from '../features/lists/reviewState/patchsetReviews.ts';
import { viewedCommands } from '../features/review/viewed/viewedCommands.ts';
import { versions } from '../features/review/versions/versionsFeature.ts';
import { type CommentThreads, commentThreads } from '../features/review/comments/commentThreads.ts';
import { listLinks, knownPosts } from '../features/lists/goToPosts.ts';
import { pullCommands } from '../features/patches/pull/pullChanges.ts';
import { exportCommands } from '../features/patches/apply/exportPatchset.ts';
import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { pageRenderer, type RenderChunk } from '../editor/pages/pageRenderer.ts';
import type { Connection } from '../store/connection.ts';
import type { BulkPart } from '../store/shared/writeJournal.ts';
import { appliedCommits } from '../features/lists/checks/appliedCommits.ts';
import { appliedDocuments } from '../features/lists/checks/appliedDocuments.ts';
import { applyFeature } from '../features/patches/apply/applyFeature.ts';
import { patchsetChecks } from '../features/lists/checks/patchsetChecks.ts';
import { diffs } from '../features/patches/diffs/diffsFeature.ts';
import { listFinder } from '../features/lists/find/listFinder.ts';
import { listCommands, markCommands } from '../features/lists/listCommands.ts';
import { mailDocuments } from '../features/lists/mail/mailDocuments.ts';
import type { GivenToLists, ListsContext } from '../features/lists/context/listsContext.ts';
import { commentCommands, commentEditors } from '../features/review/patchset/commentCommands.ts';
import { fileSteps } from '../features/review/patchset/fileSteps.ts';
import { patchsetPages } from '../features/review/patchset/patchsetFeature.ts';
import { suggestCommands } from '../features/review/reply/suggestChange.ts';
import { draftCounts } from '../features/lists/reviewState/draftCounts.ts';
import { statusChanges } from '../features/lists/status/statusChanges.ts';
import { outboxMails } from '../features/lists/send/outboxMails.ts';
import { draftOfQueued } from '../features/lists/send/writeMail.ts';
import { listTarget } from '../features/lists/subjects/listTargets.ts';
import { submitFeature } from '../features/patches/submit/submitFeature.ts';
import { earlierSetting, earlierThreads, toggleEarlier } from '../features/review/versions/earlierThreads.ts';

/** Menus in the manifest use this id. */
const controllerId = 'forge.replies';

/** Mailing lists: view, commands, pages and documents. */
export function mailingLists(given: GivenToLists & { readonly render: () => Promise<RenderChunk> }) {
	const owned = new Disposables();
	const ending = new AbortController();
	const finder = listFinder(given.clock, (error) => given.problems.log(error));
	const reviews = owned.add(patchsetReviews(given.clock));
	const renderer = pageRenderer(given.render);
	const context: ListsContext = {
		...given,
		finder,
		statuses: statusChanges(given.connections, given.problems, finder.marks),
		reviews,
		checks: patchsetChecks(),
		appliedDocuments: owned.add(appliedDocuments()),
		appliedCommits: owned.add(appliedCommits(given.connections, given.appliedCommitsOf)),
		renderer,
		draftCounts: owned.add(draftCounts(given.drafts)),
	};
	const mails = owned.add(mailDocuments(context));
	const tree = owned.add(listTree(context));
	const threads = owned.add(threadPages(context));
	const patchsets = owned.add(patchsetPages(context));
	const opened = owned.add(diffs(context));
	const viewed = owned.add(viewedCommands(context));
	const compared = owned.add(versions(opened.opener));
	const applying = owned.add(applyFeature(context));
	const pages = { 'forge.thread': threads, 'forge.patchset': patchsets } as const;
	owned.add(vscode.window.registerFileDecorationProvider(patchFileDecorations()));
	let controller: vscode.CommentController | undefined;
	const maker = (): vscode.CommentController => (controller ??= owned.add(newController()));
	const setting = earlierSetting();
	const earlier = owned.add(earlierThreads(context, setting));
	const comments: CommentThreads = owned.add(
		commentThreads(context, opened.files, earlier, (id) => typed.isOpen(id), maker),
	);
	const typed: TypedComments = owned.add(typedComments(context, comments, controllerId));

	function newController(): vscode.CommentController {
		const made = vscode.comments.createCommentController(controllerId, vscode.l10n.t('Replies to Patches'));
		made.options = {
			prompt: vscode.l10n.t('Reply…'),
			placeHolder: vscode.l10n.t('Write a comment. It is kept as a draft until you send the review.'),
		};
		made.commentingRangeProvider = { provideCommentingRanges: ({ uri, lineCount }) => comments.ranges(uri, lineCount) };
		return made;
	}

	const replies = owned.add(replyFeature(context, comments, typed));
	const submitted = owned.add(submitFeature(context));
	const outbox = owned.add(
		outboxMails(context, (connection, of) => {
			switch (of.kind) {
				case 'draft':
					return draftOfQueued(context, connection, of);
				case 'review':
					return replies.originOf(connection, { connectionKey: connection.key, ref: of.ref });
				case 'series':
					return submitted.originOf(connection, of.id);
			}
		}),
	);
	return {
		tree,
		/** Mail documents, `forge-mail:`. */
		mails,
		/** Previews of reviews, `forge-review:`. */
		previews: replies.previews,
		/** Previews of patches, `forge-series:`. */
		series: submitted.previews,
		/** Both sides of patched files, `forge-patch:`. */
		patches: {
			...opened.files,
			stat(uri: vscode.Uri) {
				// Before the editor opens the document: it then asks this controller, too, for comments.
				maker();
				return opened.files.stat(uri);
			},
		},
		/** Comparisons of versions, `forge-versions:`. */
		versions: compared.files,
		links: listLinks(context),
		known: knownPosts(context.connections, context.problems),
		commands: {
			...listCommands(context, mails.open, threads.open),
			'forge.lists.show': async (subject: unknown, signal: AbortSignal) =>
				tree.show(await listTarget(context, subject, signal), signal),
			...threads.commands,
			...patchsets.commands,
			...opened.commands,
			...compared.commands,
			...viewed.commands,
			'forge.comments.toggleEarlier': () => toggleEarlier(setting),
			...fileSteps(context),
			...applying.commands,
			...pullCommands(context),
			...exportCommands(context),
			...markCommands(context),
			...commentCommands(context, commentEditors(context, opened.files, comments)),
			...replies.commands,
			...suggestCommands(context, opened.files),
			...submitted.commands,
			...patchsetSteps(context, tree),
			...lineThreadsCommands(context),
		},
		/** Mails of the outbox. */
		outbox,
		/** Fills a page that the editor restored after a reload. `state`: saved by the page. */
		restorePage: (type: keyof typeof pages, panel: vscode.WebviewPanel, state: unknown) =>
			pages[type].restorePage(panel, state),
		/** Reports interrupted status changes. */
		resumeStatuses: (connection: Connection, left: readonly BulkPart[]) =>
			context.statuses.resumeAll(connection, left, ending.signal),
		dispose() {
			ending.abort();
			owned.dispose();
		},
	};
}
