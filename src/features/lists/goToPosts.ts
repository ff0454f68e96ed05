import { webAddress } from '../../editor/links/webOf.ts';

import { webLink, patchsetWebLink } from './subjects/webLink.ts';
import { statusOf } from './subjects/words.ts';

import type { ListsContext } from './context/listsContext.ts';
import type { LinkSource } from '../../editor/links/linkCommands.ts';
import * as vscode from 'vscode';
import { listTarget } from './subjects/listTargets.ts';
import { connectionOf } from '../../editor/commands/subjects.ts';
import { choose } from '../../editor/ask/ask.ts';
import { askPatchset, askMailOfList } from './subjects/listQuestions.ts';
import type { Connections, Connection } from '../../store/connection.ts';
import type { Problems } from '../../editor/ask/problems.ts';
import { type KnownThings, type ThingSource, thingSource } from '../../engine/search/rankThings.ts';
import type { GoToName, GoToThing } from '../../editor/links/goToThing.ts';
import { listsHere, knownLists } from '../../store/lists/knownLists.ts';
import { isAbort } from '@forge-desk/base/abort.ts';
import type { ListRef, Patchset, ShortEmail } from 'sourcehut/port/list.ts';
import { isNumbered } from 'patchmail/series/listedPatchset.ts';
import { type ThreadSummary, threadsOf } from '../../store/lists/listThreads.ts';
import { patchSubject } from 'patchmail/series/patchSubject.ts';
import { visibleLine } from '../../engine/text/visible.ts';
import { refText } from 'sourcehut/port/namedRef.ts';

/** Web addresses of lists, patchsets and mails for the copy and open commands. */
export function listLinks(context: ListsContext): LinkSource {
	return {
		name: vscode.l10n.t('A list, patchset or message'),
		webLink: (subject) => webLink(context.connections, subject),
		askForLink: (signal) => askForLink(context, signal),
	};
}

async function askForLink(context: ListsContext, signal: AbortSignal): Promise<string> {
	const list = await listTarget(context, undefined, signal);
	const connection = connectionOf(context.connections, list);
	const kind = await choose<'list' | 'patchset' | 'mail'>(vscode.l10n.t('Choose the list, a patchset or a message'), [
		{ label: vscode.l10n.t('The list itself'), value: 'list' },
		{ label: vscode.l10n.t('A patchset…'), value: 'patchset' },
		{ label: vscode.l10n.t('A message…'), value: 'mail' },
	]);
	switch (kind) {
		case 'list':
			return webAddress(connection.instance, { kind: 'list', ref: list.ref });
		case 'patchset':
			return patchsetWebLink(connection, (await askPatchset(connection, list.ref, signal)).ref);
		case 'mail':
			return webLink(context.connections, await askMailOfList(connection, list.ref, signal)) ?? '';
	}
}

/** Lists, patchsets and threads for Go to…. */
export function knownPosts(connections: Connections, problems: Problems): KnownThings<GoToName, GoToThing> {
	const lists = (): readonly GoToName[] =>
		connections
			.all()
			.flatMap((connection) =>
				listsHere(connection.lists.collection).refs.map((ref) => ({ connection, kind: 'list', ref }) as const),
			);

	async function learn({ lists: store }: Connection, changed: () => void, signal: AbortSignal): Promise<void> {
		const { lists: refs } = await knownLists(store.collection, signal);
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
	const name = visibleLine(refText(list));
	const patchsets = connection.lists.knownPatchsets(list);
	const posts = connection.lists.knownPosts(list);
	const threads = threadsByPosts.get(posts) ?? threadsOf(posts);
	threadsByPosts.set(posts, threads);
	const subjects = new Set(patchsets.map(({ subject }) => subject));
	return [
		thingSource(
			patchsets,
			{
				text: ({ subject }) => subject,
				number: ({ id }) => (isNumbered(id) ? id : Number.NaN),
				isOver: ({ status }) => finalStatuses.includes(status),
				atMs: ({ updatedMs }) => updatedMs,
			},
			(patchset) => {
				const { id, version, subject } = patchset;
				const { codicon, text } = statusOf(patchset);
				const where = [name, `v${version}`, ...(text === '' ? [] : [text])].join(' · ');
				return {
					connection,
					to: { kind: 'patchset', ref: { list, id } },
					label: '',
					text: `${visibleLine(subject)} · ${where}`,
					icon: new vscode.ThemeIcon(codicon),
				};
			},
		),
		thingSource(
			// Threads without those of known patchsets.
			threads.filter(({ subject }) => !subjects.has(patchSubject(subject)?.subject ?? '')),
			{ text: ({ subject }) => subject, atMs: ({ latest }) => latest.createdMs },
			({ id, subject }) => ({
				connection,
				to: { kind: 'thread', list, id },
				label: '',
				text: `${visibleLine(subject)} · ${name}`,
				icon: new vscode.ThemeIcon('mail'),
			}),
		),
	];
}

const finalStatuses: readonly Patchset['status'][] = ['applied', 'rejected', 'superseded'];
const threadsByPosts = new WeakMap<readonly ShortEmail[], readonly ThreadSummary[]>();
