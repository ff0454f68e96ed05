import type { PageHost } from '../../src/editor/pages/pageHost.ts';
import type { Problems } from '../../src/editor/ask/problems.ts';
import type * as vscode from 'vscode';
import type { PageOrder, TicketsContext } from '../../src/features/tickets/context/ticketsContext.ts';
import {
	ticketFilters,
	type FilterPlace,
	type FilterSetting,
} from '../../src/features/tickets/choices/ticketFilters.ts';
import {
	treeChoices,
	type ShownTickets,
	type TreeChoices,
	type WhichTickets,
} from '../../src/features/tickets/choices/treeChoices.ts';
import type { KeptText } from '../../src/store/shared/keptText.ts';
import type { TreeNode } from '../../src/editor/trees/treeNode.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import type { DraftEntry, Drafts, DraftSubject } from '../../src/store/drafts/drafts.ts';
import type { Connections } from '../../src/store/connection.ts';
import type { KeptNames } from '../../src/store/shared/keptNames.ts';
import { fake } from './fake.ts';
import { fakeClock } from './fakeClock.ts';
import { keptInMemory, keptNames } from './fakeConnection.ts';

/** Formats problems without showing them. */
export const quietProblems: Problems = {
	explain: (error) => ({
		message: isForgeError(error) ? `The forge said: ${error.problem.kind}.` : String(error),
		action: undefined,
	}),
	show: () => Promise.resolve(),
	hasJustToldOfToken: () => false,
	log: () => undefined,
};

/** Drafts in memory. */
export function fakeDrafts(): Drafts {
	const kept = new Map<string, DraftEntry>();
	const changed = new Emitter<DraftSubject>();
	return {
		async keepBeside(about, draft) {
			const own = this.draft(about);
			if (own?.text.startsWith(draft.text) !== true) {
				const key = JSON.stringify(about);
				kept.set(own ? `${key} beside` : key, { about, draft });
				changed.fire(about);
				return own !== undefined;
			}
			return false;
		},
		draft: (about) => kept.get(JSON.stringify(about))?.draft,
		keep: async (about, draft) => {
			const key = JSON.stringify(about);
			void (draft.text === '' ? kept.delete(key) : kept.set(key, { about, draft }));
			changed.fire(about);
		},
		all: () => [...kept.values()].toSorted((a, b) => b.draft.atMs - a.draft.atMs),
		forget: async ({ about }) => {
			kept.delete(JSON.stringify(about));
			changed.fire(about);
		},
		onDidChange: changed.event,
	};
}

/** The setting for saved filters, in memory; `hasWorkspace`: the editor has an open folder. */
export function fakeFilterSetting(first: Partial<Record<FilterPlace, unknown>> = {}): FilterSetting {
	const values = new Map<FilterPlace, unknown>([
		['user', first.user],
		['workspace', first.workspace],
	]);
	const changed = new Emitter<void>();
	return {
		read: (where) => values.get(where),
		write: async (where, value) => {
			values.set(where, value);
			changed.fire();
		},
		hasWorkspace: () => true,
		onDidChange: (listener) => changed.event(listener),
	};
}

/** Names in memory, per owner. */
export function fakeKept(): (owner: string) => KeptNames {
	const kept = new Map<string, KeptNames>();
	return (owner) => {
		const names = kept.get(owner) ?? keptNames();
		kept.set(owner, names);
		return names;
	};
}

/** An empty Tickets view; `select` acts as the user. */
export interface FakeView extends vscode.TreeView<TreeNode> {
	select(...rows: readonly TreeNode[]): void;
	/** Collapses a row as the user. */
	collapse(row: TreeNode): void;
	/** Ids of revealed rows, in order. */
	readonly revealed: string[];
}

export function fakeView(): FakeView {
	const selected = new Emitter<{ readonly selection: readonly TreeNode[] }>();
	const collapsed = new Emitter<{ readonly element: TreeNode }>();
	const revealed: string[] = [];
	let rows: readonly TreeNode[] = [];
	return fake<FakeView>({
		visible: true,
		get selection() {
			return rows;
		},
		revealed,
		reveal: async ({ id }) => void revealed.push(id),
		onDidChangeSelection: selected.event,
		onDidCollapseElement: collapsed.event,
		collapse: (element) => collapsed.fire({ element }),
		select(...selection) {
			rows = selection;
			selected.fire({ selection });
		},
	});
}

/** The order of timelines, in memory. */
export function fakePageOrder(): PageOrder {
	let order: ReturnType<PageOrder['now']> = 'oldest';
	return {
		now: () => order,
		keep: async (next) => {
			order = next;
		},
	};
}

/** Grouping and sorting of rows, in memory. */
export function fakeTreeChoices(): TreeChoices {
	const kept = new Map<string, KeptText>();
	return treeChoices((key) => {
		const text = kept.get(key) ?? keptInMemory();
		kept.set(key, text);
		return text;
	});
}

/** The setting of the initial filter of a tracker, in memory. */
export interface FakeShown extends ShownTickets {
	set(which: WhichTickets): void;
}

export function fakeShown(): FakeShown {
	const changed = new Emitter<void>();
	let now: WhichTickets = 'all';
	return {
		now: () => now,
		onDidChange: (listener) => changed.event(listener),
		set(which) {
			now = which;
			changed.fire();
		},
	};
}

/** Parts of the tickets feature with the pages of `pages`. */
export function ticketsParts(connections: Connections, pages: PageHost): TicketsContext {
	return fake<TicketsContext>({
		connections,
		render: () => import('../../src/render.ts'),
		pages,
		problems: quietProblems,
		drafts: fakeDrafts(),
		pageOrder: fakePageOrder(),
		filters: ticketFilters(fakeFilterSetting(), connections, fakeKept(), () => undefined),
		treeChoices: fakeTreeChoices(),
		shown: fakeShown(),
		view: fakeView(),
		clock: fakeClock(),
	});
}
