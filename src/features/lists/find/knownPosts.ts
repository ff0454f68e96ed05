import * as vscode from 'vscode';
import { isAbort } from '../../../base/abort.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { GoToName, GoToThing } from '../../../editor/links/goToThing.ts';
import { firstMailOfFormed, type ListRef, type Patchset, type ShortEmail } from '../../../forge/port/list.ts';
import { refText } from '../../../forge/port/namedRef.ts';
import { patchSubject } from '../../../forge/port/patchSubject.ts';
import { thingSource, type KnownThings, type ThingSource } from '../../../engine/search/rankThings.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { knownLists, listsHere } from '../../../store/lists/knownLists.ts';
import { threadsOf, type ThreadSummary } from '../../../store/lists/listThreads.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { statusLook } from '../subjects/words.ts';

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
				isOver: ({ status }) => over.includes(status),
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

const over: readonly Patchset['status'][] = ['applied', 'rejected', 'superseded'];
const threads = new WeakMap<readonly ShortEmail[], readonly ThreadSummary[]>();

/** Threads without those of known patchsets. */
function threadsApart(posts: readonly ShortEmail[], patchsets: readonly Patchset[]): readonly ThreadSummary[] {
	const all = threads.get(posts) ?? threadsOf(posts);
	threads.set(posts, all);
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
