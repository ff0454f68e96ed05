import type * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import type { TreeNode } from '../../../../../src/editor/trees/treeNode.ts';
import type { InboxContext, InboxWords } from '../../../../../src/features/inbox/inboxContext.ts';
import type { InboxEntry, InboxReason } from '../../../../../src/store/inbox/inboxEntry.ts';
import { spelled } from 'sourcehut/port/word.ts';
import { fakeClock, type FakeClock } from '../../../../support/fakeClock.ts';
import {
	fakeConnection,
	fakeConnections,
	keptInMemory,
	type FakeConnections,
} from '../../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../../support/fakeForge.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';

const signal = new AbortController().signal;

/** Status names of the contract. */
export const plainWords: InboxWords = {
	ticketStatus: spelled,
	resolution: spelled,
	patchsetStatus: spelled,
};

/** The inbox of one or more accounts in a window. */
export interface InboxWorld {
	readonly parts: InboxContext;
	readonly connections: FakeConnections;
	readonly clock: FakeClock;
	/** Has the badge with the number of unread entries. */
	readonly view: { badge?: vscode.ViewBadge | undefined };
	/** Adds entries to an account, by default the first. */
	readonly arrive: (entries: readonly InboxEntry[], account?: number) => void;
	readonly set: (settings: { readonly notify?: readonly InboxReason[]; readonly statusBar?: boolean }) => void;
	/** States of the first account's entries, by id. */
	readonly states: () => Readonly<Record<string, string>>;
}

export function inboxWorld(...names: readonly string[]): InboxWorld {
	const { api } = fakeTrackers();
	const connections = fakeConnections(
		...(names.length === 0 ? ['~alice'] : names).map((me) => fakeConnection(api, me)),
	);
	const clock = fakeClock();
	const view: InboxWorld['view'] = {};
	const changed = new Emitter<void>();
	let notify: readonly InboxReason[] = [];
	let hasStatusBar = true;
	return {
		connections,
		clock,
		view,
		parts: {
			connections,
			problems: quietProblems,
			clock,
			view,
			words: plainWords,
			settings: {
				notifyOf: () => notify,
				hasStatusBar: () => hasStatusBar,
				onDidChange: (listener) => changed.event(listener),
			},
			watchedOf: () => undefined,
			pageInFront: () => undefined,
			onDidChangeFront: () => ({ dispose: () => undefined }),
			doneShown: keptInMemory(),
		},
		arrive(entries, account = 0) {
			connections.all()[account]?.inbox.add({ entries, positions: new Map() });
		},
		set({ notify: wanted = notify, statusBar = hasStatusBar }) {
			notify = wanted;
			hasStatusBar = statusBar;
			changed.fire();
		},
		states: () =>
			Object.fromEntries((connections.all()[0]?.inbox.items() ?? []).map(({ entry, state }) => [entry.id, state])),
	};
}

/** A row and its descendants, one line each. */
export async function drawnRows(rows: readonly TreeNode[], depth = 0): Promise<readonly string[]> {
	const lines: string[] = [];
	for (const { item, children } of rows) {
		const label = typeof item.label === 'string' ? item.label : (item.label?.label ?? '');
		lines.push(`${'  '.repeat(depth)}${label} | ${String(item.description)}`);
		lines.push(...(await drawnRows((await children?.(signal)) ?? [], depth + 1)));
	}
	return lines;
}
