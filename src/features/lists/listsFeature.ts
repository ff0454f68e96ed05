import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { choose } from '../../editor/ask/ask.ts';
import { connectionOf } from '../../editor/commands/subjects.ts';
import type { LinkSource } from '../../editor/links/linkCommands.ts';
import { pageRenderer, type RenderChunk } from '../../editor/pages/pageRenderer.ts';
import type { Connection, Connections } from '../../store/connection.ts';
import type { BulkPart } from '../../store/shared/writeJournal.ts';
import { appliedDocuments } from './checks/appliedDocuments.ts';
import { applyFeature } from './apply/applyFeature.ts';
import { patchsetChecks } from './checks/patchsetChecks.ts';
import { diffs } from './diffs/diffsFeature.ts';
import { listFinder } from './find/listFinder.ts';
import { listCommands, markCommands } from './listCommands.ts';
import { mailDocuments } from './mail/mailDocuments.ts';
import type { ListsDesk } from './parts/listsDesk.ts';
import { commentCommands, commentEditors } from './patchset/commentCommands.ts';
import { fileSteps } from './patchset/fileSteps.ts';
import { patchsetPages } from './patchset/patchsetFeature.ts';
import { fetchPullCommands } from './pull/pullChanges.ts';
import { replyFeature } from './reply/replyFeature.ts';
import { suggestCommands } from './reply/suggestChange.ts';
import { typedComments, type TypedComments } from './reply/commentBoxes.ts';
import { commentThreads, type CommentThreads } from './review/commentThreads.ts';
import { draftCounts } from './parts/draftCounts.ts';
import { patchsetReviews } from './parts/patchsetReviews.ts';
import { statusChanges } from './status/statusChanges.ts';
import { askMailOfList, askPatchset } from './subjects/listQuestions.ts';
import { listTarget } from './subjects/listTargets.ts';
import { listWebLink, patchsetWebLink, webLink } from './subjects/webLink.ts';
import { submitFeature } from './submit/submitFeature.ts';
import { threadPages } from './thread/threadFeature.ts';
import { listTree } from './tree/listTree.ts';
import { patchFileDecorations } from './tree/patchFileRows.ts';
import { patchsetSteps } from './tree/patchsetSteps.ts';
import { earlierSetting, earlierThreads, toggleEarlier } from './versions/earlierThreads.ts';
import { versions } from './versions/versionsFeature.ts';
import { viewedCommands } from './viewed/viewedCommands.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import type { GoToName, GoToThing } from '../../editor/links/goToThing.ts';
import type { ListRef, Patchset, ShortEmail } from 'sourcehut/port/list.ts';
import { firstMailOfFormed } from 'patchmail/series/listedPatchset.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import { thingSource, type KnownThings, type ThingSource } from '../../engine/search/rankThings.ts';
import { knownLists, listsHere } from '../../store/lists/knownLists.ts';
import { threadsOf, type ThreadSummary } from '../../store/lists/listThreads.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { statusLook } from './subjects/words.ts';

/** Menus in the manifest use this id. */
const controllerId = 'forge.replies';

/** Mailing lists: view, commands, pages and documents. `given`: the desk without its own parts. */
export function listsFeature(
	given: Omit<
		ListsDesk,
		'finder' | 'statuses' | 'reviews' | 'checks' | 'appliedDocuments' | 'renderer' | 'draftCounts'
	> & {
		readonly render: () => Promise<RenderChunk>;
	},
) {
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
		appliedDocuments: owned.add(appliedDocuments()),
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
	const submitted = owned.add(submitFeature(parts));
	return {
		tree,
		/** Mail documents, `forge-mail:`. */
		mails,
		/** Previews of reviews, `forge-review:`. */
		previews: replies.previews,
		/** Previews of patches, `forge-series:`. */
		series: submitted.previews,
		/** Both sides of patched files, `forge-patch:`. */
		patches: opened.files,
		/** Comparisons of versions, `forge-versions:`. */
		versions: compared.files,
		links: listLinks(parts),
		known: knownPosts(parts.connections, parts.problems),
		commands: {
			...listCommands(parts, mails.open, threads.open),
			'forge.lists.show': async (subject: unknown, signal: AbortSignal) =>
				tree.show(await listTarget(parts, subject, signal), signal),
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
			...patchsetSteps(parts, tree),
		},
		/** Fills a page that the editor restored after a reload; `state` comes from the page. */
		restorePage: (type: keyof typeof pages, panel: vscode.WebviewPanel, state: unknown) =>
			pages[type].restorePage(panel, state),
		/** Reports interrupted status changes. */
		resumeStatuses: (connection: Connection, left: readonly BulkPart[]) =>
			parts.statuses.resumeAll(connection, left, ending.signal),
		dispose() {
			ending.abort();
			owned.dispose();
		},
	};
}

/** Web addresses of lists, patchsets and mails for the copy and open commands. */
export function listLinks(parts: ListsDesk): LinkSource {
	return {
		name: vscode.l10n.t('A list, patchset or message'),
		webLink: (subject) => webLink(parts.connections, subject),
		askForLink: (signal) => askForLink(parts, signal),
	};
}

async function askForLink(parts: ListsDesk, signal: AbortSignal): Promise<string> {
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

/** Lists, patchsets and threads for Go to…. */
export function knownPosts(connections: Connections, problems: Problems): KnownThings<GoToName, GoToThing> {
	const lists = (): readonly GoToName[] =>
		connections
			.all()
			.flatMap((connection) =>
				listsHere(connection.lists.shelf).refs.map((ref) => ({ connection, kind: 'list', ref }) as const),
			);

	async function learn({ lists: store }: Connection, changed: () => void, signal: AbortSignal): Promise<void> {
		const { lists: refs } = await knownLists(store.shelf, signal);
		changed();
		await Promise.all(refs.map((ref) => store.recallRows(ref)));
		changed();
	}

	return {
		names: lists,
		sources: () => lists().flatMap(({ connection, ref }) => sourcesOf(connection, ref)),
		learn(changed, signal) {
			for (const connection of connections.all()) {
				learn(connection, changed, signal).catch((error: unknown) =>
					isAbort(error) ? undefined : problems.log(error),
				);
			}
		},
	};
}

function sourcesOf(connection: Connection, list: ListRef): readonly ThingSource<GoToThing>[] {
	const patchsets = connection.lists.knownPatchsets(list);
	return [
		thingSource(
			patchsets,
			{
				text: ({ subject }) => subject,
				number: ({ id }) => (firstMailOfFormed(id) === undefined ? id : Number.NaN),
				isOver: ({ status }) => finalStatuses.includes(status),
				atMs: ({ updatedMs }) => updatedMs,
			},
			(patchset) => patchsetThing(connection, list, patchset),
		),
		thingSource(
			threadsApart(connection.lists.knownPosts(list), patchsets),
			{ text: ({ subject }) => subject, atMs: ({ latest }) => latest.createdMs },
			(thread) => threadThing(connection, list, thread),
		),
	];
}

const finalStatuses: readonly Patchset['status'][] = ['applied', 'rejected', 'superseded'];
const threadsByPosts = new WeakMap<readonly ShortEmail[], readonly ThreadSummary[]>();

/** Threads without those of known patchsets. */
function threadsApart(posts: readonly ShortEmail[], patchsets: readonly Patchset[]): readonly ThreadSummary[] {
	const all = threadsByPosts.get(posts) ?? threadsOf(posts);
	threadsByPosts.set(posts, all);
	const subjects = new Set(patchsets.map(({ subject }) => subject));
	return all.filter(({ subject }) => !subjects.has(patchSubject(subject)?.subject ?? ''));
}

function patchsetThing(connection: Connection, list: ListRef, patchset: Patchset): GoToThing {
	const { codicon, text } = statusLook(patchset.status);
	const where = vscode.l10n.t('{0} · v{1} · {2}', visibleLine(refText(list)), patchset.version, text);
	return {
		connection,
		to: { kind: 'patchset', ref: { list, id: patchset.id } },
		label: '',
		text: `${visibleLine(patchset.subject)} · ${where}`,
		icon: new vscode.ThemeIcon(codicon),
	};
}

function threadThing(connection: Connection, list: ListRef, { id, subject }: ThreadSummary): GoToThing {
	return {
		connection,
		to: { kind: 'thread', list, id },
		label: '',
		text: `${visibleLine(subject)} · ${visibleLine(refText(list))}`,
		icon: new vscode.ThemeIcon('mail'),
	};
}
